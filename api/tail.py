"""A file read as it grows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

POLL_SECONDS = 0.05
"""How long readers wait before they look again."""
_READ = 1 << 20


class Tail:
    """The lines of a file that others append to; what was read once is not read again."""

    def __init__(self, path: Path) -> None:
        """Start at the beginning; the file need not exist yet."""
        self._path = path
        self._offset = 0
        self._pieces: list[bytes] = []
        """The begun line, in pieces, so that a long one costs no more than a short one."""

    def lines(self, *, final: bool, until: int | None = None) -> Iterator[bytes]:
        """Iterate over new whole lines, without their ends.

        Args:
            final: whether a begun line counts, too.
            until: how many bytes of the file to read at most, in all; None for all there are.
        """
        try:
            if until is not None or self._path.stat().st_size > self._offset:
                yield from self._read(until)
        except FileNotFoundError:
            return
        if final and (begun := b"".join(self._pieces)):
            self._pieces = []
            yield begun

    def _read(self, until: int | None) -> Iterator[bytes]:
        def size() -> int:
            return _READ if until is None else max(0, min(_READ, until - self._offset))

        if not size():
            return
        with self._path.open("rb", buffering=0) as file:
            file.seek(self._offset)
            while data := file.read(size()):
                self._offset += len(data)
                first, *others = data.split(b"\n")
                self._pieces.append(first)
                for piece in others:
                    yield b"".join(self._pieces)
                    self._pieces = [piece]
