"""Folders of code (`jobs.*.code`), of which jobs get a snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from bai.compiler.resources.reserved import CODE_SHARE, CODE_UNKNOWN, CODE_VARIABLE

_ROOT: Final = "$AZ_BATCHAI_JOB_MOUNT_ROOT"


class CodeProblem(NamedTuple):
    """Why there can be no snapshot of a folder."""

    code: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Code:
    """A folder of code and its snapshot."""

    folder: str
    """Absolute path on this machine."""
    name: str = CODE_UNKNOWN
    """The name of the snapshot, which depends on its content alone."""
    words: str | None = None
    """How much it is: `12 files, 34 kB`."""
    problems: tuple[CodeProblem, ...] = ()

    @property
    def path(self) -> str:
        """Where a job finds the snapshot."""
        return f"{_ROOT}/{self.mount_path}"

    @property
    def variable(self) -> dict[str, str]:
        """The variable that leads there, as in environmentVariables."""
        return {"name": CODE_VARIABLE, "value": self.path}

    @property
    def mount_path(self) -> str:
        """The same, from the mount root."""
        return f"{CODE_SHARE}/{self.name}"


class CodeFolders(Protocol):
    """What is known of folders of code. The compiler itself looks at no disk."""

    def find(self, folder: str) -> Code:
        """Return a folder, given by its absolute path, and its snapshot."""

    def leaves_out(self, folder: str, path: str) -> bool:
        """Return whether a file in a folder is there, but not in its snapshot."""
