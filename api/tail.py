"""The lines of a file that others append to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.files import Files

_READ: Final = 1 << 20
"""Bytes that are read at once."""


class Tail:
    """A file of an attempt, read as it grows; what was read once is not read again."""

    def __init__(
        self, files: Files, directory: str, name: str, *, bars: bool = False, offset: int = 0
    ) -> None:
        """Start at the beginning of a line.

        Args:
            files: the files of the attempt.
            directory: the one that the file is in.
            name: the file; need not exist yet.
            bars: whether a carriage return begins a line anew, as a progress bar does. Only what a
                terminal would show in the end counts then.
            offset: where the line begins.
        """
        self._files = files
        self._place = directory, name
        self._bars = bars
        self.offset = offset
        """Up to where lines have been read; there may be a begun one."""
        self._ahead = b""
        """What was read of the file at once, from before the offset on."""
        self._position = 0
        """Where the offset is in that."""
        self._pieces: list[bytes] = []
        """The begun line, in pieces, so that a long one costs no more than a short one."""

    def blocks(self, *, final: bool, until: int | None = None) -> Iterator[bytes]:
        """Iterate over what is new, in blocks of whole lines with their ends.

        Args:
            final: whether a begun line counts, too. It comes without an end.
            until: how many bytes of the file to read at most, in all; None for all there are.
        """
        while (until is None or self.offset < until) and self._fill():
            begin, end = self._position, len(self._ahead)
            if until is not None:
                end = min(end, begin + until - self.offset)
            whole = self._ahead.rfind(b"\n", begin, end) + 1 or begin
            self._position = end
            self.offset += end - begin
            block = self._ahead[begin:whole]
            if block and self._pieces:
                block = b"".join([*self._pieces, block])
                self._pieces = []
            self._begin(self._ahead[whole:end])
            if block:
                yield block
        if final and (begun := b"".join(self._pieces)):
            self._pieces = []
            yield begun

    def lines(self, *, final: bool) -> Iterator[bytes]:
        """Iterate over new whole lines, without their ends; if `final`, over a begun one, too."""
        for block in self.blocks(final=final):
            yield from self.lines_of(block)

    def lines_of(self, block: bytes) -> Iterator[bytes]:
        """Iterate over the lines of a block, without their ends."""
        lines = block.removesuffix(b"\n").split(b"\n")
        return map(self._shown, lines) if self._bars and b"\r" in block else iter(lines)

    def bar(self) -> bytes:
        """Return what the begun line shows now if it was begun anew; else nothing."""
        anew = self._pieces and self._pieces[0].startswith(b"\r")
        return self._shown(b"".join(self._pieces)) if anew else b""

    def _fill(self) -> bool:
        """Read more if all that was read ahead is used; return whether there is any."""
        if self._position == len(self._ahead):
            try:
                self._ahead = self._files.read(*self._place, self.offset, _READ)
            except NotFoundError:
                self._ahead = b""
            self._position = 0
        return bool(self._ahead)

    def _shown(self, line: bytes) -> bytes:
        """Return what stands behind the last carriage return, but for those at the end."""
        return line[line.rstrip(b"\r").rfind(b"\r") + 1 :]

    def _begin(self, piece: bytes) -> None:
        """Take a piece of a begun line, and forget what it writes over."""
        ended = bool(self._pieces) and self._pieces[-1].endswith(b"\r") and piece.strip(b"\r")
        if self._bars and (ended or len(self._shown(piece)) < len(piece)):
            self._pieces = [b"\r" + self._shown(piece)]
        elif piece:
            self._pieces.append(piece)
