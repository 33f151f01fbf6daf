"""Programs that install packages: misspelt subcommands, and questions that nothing answers.

apt, yum, dnf, pip and `read` ask. conda takes the end of its input for a yes, and apk asks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bai.linter.shell.called_programs import BareCommand, bare
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.words import Command, Word
from bai.specs.names import nearest

# Each list: `PROGRAM --help`, 2018's and later versions'.
_PIP = frozenset(
    "install download uninstall freeze inspect list show check config search cache index wheel "  # noqa: SIM905
    "hash completion debug help lock".split()
)
_CONDA = frozenset(
    "install create update upgrade remove uninstall list search run info config clean env init "  # noqa: SIM905
    "activate deactivate build index package doctor compare export rename notices tos help "
    "content-trust repoquery shell inspect render skeleton convert develop debug verify pack lock "
    "metapackage server".split()
)
_APT = frozenset(
    "update upgrade full-upgrade dist-upgrade dselect-upgrade install reinstall remove purge "  # noqa: SIM905
    "autoremove autopurge source build-dep satisfy check download clean distclean autoclean "
    "changelog indextargets list search show showsrc depends rdepends policy edit-sources moo "
    "showpkg dump stats help markauto unmarkauto why version".split()
)
_PROGRAMS = {
    **dict.fromkeys(("pip", "pip2", "pip3"), _PIP),
    **dict.fromkeys(("conda", "mamba"), _CONDA),
    **dict.fromkeys(("apt", "apt-get"), _APT),
}
_ALIKE = 0.75
"""How much a word must be like a subcommand to be meant as it."""
_APT_CHANGES = frozenset(
    "install remove purge autoremove autopurge upgrade dist-upgrade full-upgrade build-dep".split()  # noqa: SIM905
)
_YUM_CHANGES = frozenset(
    "install reinstall remove erase autoremove update upgrade downgrade distro-sync swap".split()  # noqa: SIM905
)
_VERBS = {
    **dict.fromkeys(("apt", "apt-get", "aptitude"), _APT_CHANGES),
    **dict.fromkeys(("yum", "dnf"), _YUM_CHANGES),
    **dict.fromkeys(("pip", "pip3"), frozenset({"uninstall"})),
}
"""Program -> what it asks about."""
_TRIALS = frozenset({"--simulate", "--dry-run", "--just-print", "--no-act", "--recon"})
_ANSWERS = frozenset({"--yes", "--assume-yes", "--assume-no", "--force-yes"})
_OF_YUM = frozenset({"--assumeyes", "--assumeno", "--setopt=assumeyes=1", "--help"})
_SILENT = _TRIALS | _ANSWERS | _OF_YUM | {"--quiet=2", "-q=2"}
"""Options with which nothing is asked, beside -y, apt's -qq (which implies it) and -s (a trial)."""
_TAKE_VALUE = frozenset({"-o", "-t", "-c", "-a"})
"""Options with a word of their own behind them."""

_OPTIONS = re.compile(r"(?i)opt|flag|arg|yes")
"""In names of variables that may hold options."""


def misspelt_subcommand(called: BareCommand) -> ShellIssue | None:
    """Return what is wrong with the subcommand of a command; None if nothing is.

    Args:
        called: what a command runs in the end.
    """
    name, arguments = called.name, called.arguments
    if name.startswith("python") and [word.value for word in arguments[:2]] == ["-m", "pip"]:
        name, arguments = "pip", arguments[2:]
    known = _PROGRAMS.get(name)
    word = next((word for word in arguments if not word.value.startswith("-")), None)
    if known is None or word is None or word.value in known or word.variables or word.substitutes:
        return None
    meant = nearest(word.value, known, _ALIKE)
    if meant is None:
        return None
    message, hint = f"{name} knows no subcommand {word.value!r}", f"did you mean {meant}?"
    return ShellIssue("misspelt-subcommand", word.start, word.end, message, hint)


def install_questions(text: str, pipeline: Sequence[Command]) -> Iterator[ShellIssue]:
    """Yield the commands that ask, and fail without an answer.

    Args:
        text: what the commands stand in.
        pipeline: commands that pipes join.
    """
    for position, command in enumerate(pipeline):
        name, arguments, by_xargs, start = bare(command)
        if name == "read" and _read_asks(text, arguments):
            message = "read asks, and nobody answers: there is no terminal"
            hint = "set the variable in the job's environment"
            yield ShellIssue("install-asks", command.start, command.end, message, hint)
        if name not in _VERBS or command.reads or (position > 0 and not by_xargs):
            continue
        if verb := _asked_about(name, arguments):
            called = f"{name} {verb.value}"
            message = f"{called} asks before it goes on, and nobody answers: it fails"
            edits = [(verb.end, verb.end, " -y")]
            yield ShellIssue("install-asks", start, verb.end, message, f"write {called} -y", edits)


def _read_asks(text: str, arguments: Sequence[Word]) -> bool:
    asks = any(re.match(r"-[a-z]*p", word.value) for word in arguments)
    # What a loop or a function reads, its caller may give it.
    return asks and "<" not in text and "|" not in text and "(" not in text


def _asked_about(name: str, arguments: Sequence[Word]) -> Word | None:
    """Return the word for the work that a program asks about; None if it asks nothing."""
    verb = _verb(name, arguments)
    if verb is None or any(_silences(word.value) for word in arguments):
        return None
    variables = [variable.name for word in arguments for variable in word.variables]
    return None if any(_OPTIONS.search(variable) for variable in variables) else verb


def _verb(name: str, arguments: Sequence[Word]) -> Word | None:
    """Return the word for what a program is to do, if it asks about that."""
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
