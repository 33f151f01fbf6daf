"""A file read as it grows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_READ = 1 << 20


class Tail:
    """The lines of a file that others append to; what was read once is not read again."""

    def __init__(self, path: Path, *, bars: bool = False) -> None:
        """Start at the beginning.

        Args:
            path: the file; need not exist yet.
            bars: whether a carriage return begins a line anew, as a progress bar does. Only what a
                terminal would show in the end counts then.
        """
        self._path = path
        self._bars = bars
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
            yield self._shown(begun)

    def bar(self) -> bytes:
        """Return what the begun line shows now if it was begun anew; else nothing."""
        anew = self._pieces and self._pieces[0].startswith(b"\r")
        return self._shown(b"".join(self._pieces)) if anew else b""

    def _shown(self, line: bytes) -> bytes:
        """Return what stands behind the last carriage return, but for those at the end."""
        return line[line.rstrip(b"\r").rfind(b"\r") + 1 :] if self._bars else line

    def _begin(self, piece: bytes) -> None:
        """Take a piece of a begun line, and forget what it writes over."""
        ended = bool(self._pieces) and self._pieces[-1].endswith(b"\r") and piece.strip(b"\r")
        if self._bars and (ended or len(self._shown(piece)) < len(piece)):
            self._pieces = [b"\r" + self._shown(piece)]
        elif piece:
            self._pieces.append(piece)

    def _read(self, until: int | None) -> Iterator[bytes]:
        def size() -> int:
            return _READ if until is None else max(0, min(_READ, until - self._offset))

        if not size():
            return
        with self._path.open("rb", buffering=0) as file:
            file.seek(self._offset)
            while data := file.read(size()):
                self._offset += len(data)
                *ended, begun = data.split(b"\n")
                for piece in ended:
                    yield self._shown(b"".join([*self._pieces, piece]))
                    self._pieces = []
                self._begin(begun)
