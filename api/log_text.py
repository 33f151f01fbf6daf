"""Log lines as people read them, made for many lines at once: most logs need nothing per line."""

from __future__ import annotations

import re
from typing import Final

from bai.log_lines import LABEL, LogLine, LogName

_ANY: Final = LABEL.encode()
_LABELS: Final = re.compile(rb"\n%b ?" % _ANY)
_MOST: Final = 16
"""How many labels are replaced one after the other; with more, a pattern is faster."""


class LogText:
    """Makes text of blocks of lines: each is shown as `str(LogLine)` does, in UTF-8."""

    def __init__(self, rank: int | str | None, stream: str | None) -> None:
        """Show all lines, or some.

        Args:
            rank: the only process to show, as `LogLine.is_of` takes it; its lines then stand
                without its name.
            stream: the only stream to show.
        """
        self._rank = rank
        self._stream = stream
        self._shown: dict[bytes, bytes] = {}
        """Label in a log -> how it is shown, each behind the end of the line before."""
        self._chosen: dict[LogName, re.Pattern[bytes]] = {}

    def of_line(self, line: LogLine) -> bytes:
        """Return the text of one line, whether it is to be shown or not."""
        return f"{line if self._rank is None else line.text}\n".encode()

    def of_block(self, log: LogName, block: bytes) -> bytes | None:
        """Return the text of a block of whole lines; None if it must be made line by line."""
        other = b"]<stderr>:" if log.stream == "stdout" else b"]<stdout>:"
        if b"\r" in block or not _is_utf8(block) or (self._stream and other in block):
            return None
        if self._stream not in (None, log.stream):
            return b""
        lines = b"\n" + block.removesuffix(b"\n")
        if self._rank is not None:
            return b"\n".join([*self._pattern(log).findall(lines), b""])
        if (label := log.line(b"").label) is not None:
            # A script may write labels of its own.
            shown = lines.replace(b"\n", b"\n%b | " % label.encode())
            return None if _LABELS.search(lines) else shown[1:] + b"\n"
        return self._labelled(lines)[1:] + b"\n"

    def _labelled(self, lines: bytes) -> bytes:
        for label, shown in self._shown.items():
            lines = lines.replace(label, shown)
        if not _LABELS.search(lines):
            return lines
        for label, rank, _ in re.findall(rb"(\n%b )" % _ANY, lines):
            if len(self._shown) < _MOST:
                self._shown[label] = b"\n%d | " % int(rank)
        return _LABELS.sub(lambda match: b"\n%d | " % int(match[1]), lines)

    def _pattern(self, log: LogName) -> re.Pattern[bytes]:
        """Return what finds the lines of the chosen process in a log, without labels."""
        if log not in self._chosen:
            rank = re.escape(str(self._rank).encode())
            found = rb"\[(?=\d{1,9}\])0*%b\]<(?:stdout|stderr)>: ?" % rank
            if log.line(b"").is_of(self._rank, None):
                found = rb"(?:%b|(?!%b))" % (found, _ANY.replace(b"(", b"(?:"))
            self._chosen[log] = re.compile(rb"\n%b([^\n]*)" % found)
        return self._chosen[log]


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
