"""Misspelt subcommands of programs that install packages: `pip instal`."""

from __future__ import annotations

from typing import Final

from bai.linter.shell.bare_commands import BareCommand
from bai.linter.shell.shell_issue import ShellIssue
from bai.specs.names import nearest

# Each list: `PROGRAM --help`, 2018's and later versions'.
_PIP: Final = frozenset(
    "install download uninstall freeze inspect list show check config search cache index wheel "  # noqa: SIM905
    "hash completion debug help lock".split()
)
_CONDA: Final = frozenset(
    "install create update upgrade remove uninstall list search run info config clean env init "  # noqa: SIM905
    "activate deactivate build index package doctor compare export rename notices tos help "
    "content-trust repoquery shell inspect render skeleton convert develop debug verify pack lock "
    "metapackage server".split()
)
_APT: Final = frozenset(
    "update upgrade full-upgrade dist-upgrade dselect-upgrade install reinstall remove purge "  # noqa: SIM905
    "autoremove autopurge source build-dep satisfy check download clean distclean autoclean "
    "changelog indextargets list search show showsrc depends rdepends policy edit-sources moo "
    "showpkg dump stats help markauto unmarkauto why version".split()
)
_PROGRAMS: Final = {
    **dict.fromkeys(("pip", "pip2", "pip3"), _PIP),
    **dict.fromkeys(("conda", "mamba"), _CONDA),
    **dict.fromkeys(("apt", "apt-get"), _APT),
}
_ALIKE: Final = 0.75
"""How much a word must be like a subcommand to be meant as it."""


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
