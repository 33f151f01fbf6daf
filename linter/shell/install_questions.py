"""When programs that install packages ask whether to go on, and end without an answer.

apt, yum, dnf and pip do. conda takes the end of its input for a yes, and apk asks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bai.linter.shell.words import Word

_APT_CHANGES = frozenset(
    "install remove purge autoremove autopurge upgrade dist-upgrade full-upgrade build-dep".split()  # noqa: SIM905
)
_YUM_CHANGES = frozenset(
    "install reinstall remove erase autoremove update upgrade downgrade distro-sync swap".split()  # noqa: SIM905
)
_VERBS = {
    "apt": _APT_CHANGES,
    "apt-get": _APT_CHANGES,
    "aptitude": _APT_CHANGES,
    "yum": _YUM_CHANGES,
    "dnf": _YUM_CHANGES,
    "pip": frozenset({"uninstall"}),
    "pip3": frozenset({"uninstall"}),
}
"""Program -> what it asks about."""
INSTALLERS = frozenset(_VERBS)
_TRIALS = frozenset({"--simulate", "--dry-run", "--just-print", "--no-act", "--recon"})
_ANSWERS = frozenset({"--yes", "--assume-yes", "--assume-no", "--force-yes"})
_OF_YUM = frozenset({"--assumeyes", "--assumeno", "--setopt=assumeyes=1", "--help"})
_SILENT = _TRIALS | _ANSWERS | _OF_YUM | {"--quiet=2", "-q=2"}
"""Options with which nothing is asked, beside -y, apt's -qq (which implies it) and -s (a trial)."""
_TAKE_VALUE = frozenset({"-o", "-t", "-c", "-a"})
"""Options with a word of their own behind them."""

_OPTIONS = re.compile(r"(?i)opt|flag|arg|yes")
"""In names of variables that may hold options."""


def asked_about(name: str, arguments: Sequence[Word]) -> Word | None:
    """Return the word of a program's arguments whose work it asks about; None if it won't ask."""
    verb = _verb(name, arguments)
    if verb is None or any(_silences(word.value) for word in arguments):
        return None
    variables = [variable.name for word in arguments for variable in word.variables]
    return None if any(_OPTIONS.search(variable) for variable in variables) else verb


def _verb(name: str, arguments: Sequence[Word]) -> Word | None:
    """Return the word that tells a program what to do, if that is something it asks about."""
    rest = iter(arguments)
    for word in rest:
        if word.value in _TAKE_VALUE:
            next(rest, None)
        elif not word.value.startswith("-"):
            return word if word.value in _VERBS[name] else None
    return None


def _silences(option: str) -> bool:
    if option in _SILENT or "assume-yes" in option.lower():
        return True
    short = option.startswith("-") and not option.startswith("--")
    return short and ("y" in option or "s" in option or option.count("q") > 1)
