"""When apt asks whether to go on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bai.compiler.analysis.shell_words import Word

_CHANGES = frozenset(
    "install remove purge autoremove autopurge upgrade dist-upgrade full-upgrade build-dep".split()  # noqa: SIM905
)
_TRIALS = frozenset({"--simulate", "--dry-run", "--just-print", "--no-act", "--recon"})
_ANSWERS = frozenset({"--yes", "--assume-yes", "--assume-no", "--force-yes"})
_SILENT = _TRIALS | _ANSWERS | {"--quiet=2", "-q=2"}
"""Options with which apt asks nothing, beside -y, -qq (which implies it) and -s (a trial)."""

_OPTIONS = re.compile(r"(?i)opt|flag|arg|yes")
"""In names of variables that may hold options."""


def asked_about(arguments: Sequence[Word]) -> Word | None:
    """Return the word of apt's arguments whose work it asks about, or None if it won't ask."""
    verb = _verb(arguments)
    if verb is None or any(_silences(word.value) for word in arguments):
        return None
    variables = [variable.name for word in arguments for variable in word.variables]
    return None if any(_OPTIONS.search(variable) for variable in variables) else verb


def _verb(arguments: Sequence[Word]) -> Word | None:
    """Return the word that tells apt what to do, if that is something it asks about."""
    rest = iter(arguments)
    for word in rest:
        if word.value in {"-o", "-t", "-c", "-a"}:
            next(rest, None)
        elif not word.value.startswith("-"):
            return word if word.value in _CHANGES else None
    return None


def _silences(option: str) -> bool:
    if option in _SILENT or "assume-yes" in option.lower():
        return True
    short = option.startswith("-") and not option.startswith("--")
    return short and ("y" in option or "s" in option or option.count("q") > 1)
