"""New lines of a file that processes append to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PIECE: Final = 1 << 18
"""Bytes that are read at once, so that no flood of lines keeps a reader from its work."""


class NewLines:
    """The lines that come to a file, which need not be there yet."""

    def __init__(self, path: Path, offset: int = 0) -> None:
        """Read from an offset on."""
        self._path = path
        self._offset = offset

    def read(self) -> bytes:
        """Return the next whole lines, a piece of them; of a line that is too long, a part.

        Raises:
            OSError: the file can't be read.
        """
        try:
            if self._path.stat().st_size <= self._offset:
                return b""
        except FileNotFoundError:
            return b""
        with self._path.open("rb") as file:
            file.seek(self._offset)
            data = file.read(PIECE)
        if len(data) < PIECE or b"\n" in data:
            data = data[: data.rfind(b"\n") + 1]
        self._offset += len(data)
        return data
