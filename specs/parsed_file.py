"""A file with what was read from it: parsed at most once, however many ask."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from bai.specs.codes import make_finding
from bai.specs.findings import Finding, Span
from bai.specs.syntax.characters import MAX_BYTES

if TYPE_CHECKING:
    from bai.specs.document import Document

UNREADABLE: Final = "BAI110"
"""The code of findings about a file as a whole: its text can't be had."""


class ParsedFile:
    """The content of one file. It is parsed when something of it is first asked for."""

    def __init__(
        self, content: str | bytes, name: str, directory: str, unreadable: Finding | None = None
    ) -> None:
        """Hold the content.

        Args:
            content: its bytes, or its text.
            name: the name that findings carry.
            directory: absolute path of the folder that relative paths in the file start from.
            unreadable: why there is no content, if the file can't be read.
        """
        self._given = content
        self.content = (
            content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        )
        """Its bytes."""
        self.name = name
        self.directory = directory
        self.unreadable = unreadable

    @cached_property
    def data(self) -> list[Any] | None:
        """The data of its documents, without places; None if only the reader can judge it."""
        # Imported here, and below: of most files, only one of the two forms is needed.
        from bai.specs.syntax.fast_reader import read_fast

        return read_fast(self.content)

    @property
    def documents(self) -> Sequence[Document]:
        """The documents that could be read, with places."""
        return self._read[0]

    @property
    def syntax_errors(self) -> Sequence[Finding]:
        """The findings about what could not be read."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[Sequence[Document], Sequence[Finding]]:
        if self.unreadable:
            return (), (self.unreadable,)
        from bai.specs.syntax.reader import read

        return read(self._given, self.name)


def read_file(path: str | os.PathLike[str]) -> ParsedFile:
    """Read a file. What goes wrong is one of its findings."""
    name = os.fspath(path)
    folder = os.path.dirname(os.path.abspath(name))  # noqa: PTH100, PTH120
    try:
        with open(name, "rb") as file:  # noqa: PTH123 - pathlib costs start-up time
            return ParsedFile(file.read(MAX_BYTES + 1), name, folder)
    except (OSError, ValueError) as error:
        return ParsedFile(b"", name, folder, unreadable(name, error))


def unreadable(name: str, error: OSError | ValueError, what: str = "file") -> Finding:
    """Return the finding for a file, or a folder, that can't be read."""
    reason = getattr(error, "strerror", None) or str(error)
    return make_finding(UNREADABLE, f"can't read the {what}: {reason}", Span(name, 1, 1, 1, 1))
