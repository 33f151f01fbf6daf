"""What rules may ask of the machine that bai runs on; `bai.linter.driver` implements it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bai.linter.shell.grammar import ParseError
    from bai.linter.shell.shellcheck import ShellCheckIssue


class Files(Protocol):
    """Files of this machine, by absolute path. Unreadable files count as missing."""

    def names(self, folder: str) -> Collection[str] | None:
        """Return the names in a folder, or None if there is no such folder."""

    def exists(self, path: str) -> bool:
        """Return whether there is anything at a path."""

    def read(self, path: str, most: int) -> bytes | None:
        """Return a file's content, or None if there is none or it has more than `most` bytes."""


class Packages(Protocol):
    """The Python packages that jobs will find."""

    def version(self, name: str) -> str | None:
        """Return the version of a package; None if it is not installed, or not found."""


class Shell(Protocol):
    """ShellCheck and bash, where they are installed."""

    def prefetch(self, commands: Sequence[str]) -> None:
        """Start checking many commands at once, which is faster than one after the other."""

    def issues(self, command: str) -> Sequence[ShellCheckIssue]:
        """Return ShellCheck's issues of a command, none if it does not answer."""

    def parse_error(self, command: str) -> ParseError | None:
        """Return why bash refuses to read a command; None if it does not, or does not answer."""
