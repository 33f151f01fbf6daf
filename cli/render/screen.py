"""Lines that scroll by, log lines after the rank that wrote them, and a status line below them."""

from __future__ import annotations

import os
import re
from collections import deque
from typing import IO, TYPE_CHECKING

from bai.cli.render.style import RANKS, Style
from bai.cli.render.width import fit, printable, status_width

if TYPE_CHECKING:
    from bai.log_lines import LogLine

_MOVES = re.compile(r"\x1b\[[0-9;?]*[A-HJKSTfsu]")
"""What moves the cursor or wipes: bars of several lines write it, and would hit other lines."""
_MANY = 500
"""Lines that are gathered before they are written."""
_RECENT = 20
"""Lines that are still in sight when others have come."""


class Screen:
    """Gathers lines, and writes them at once, so that the status line does not flicker."""

    def __init__(self, out: IO[str]) -> None:
        """Write to a terminal; without a status line to a dumb one and to anything else."""
        self.style = Style(out)
        self._is_terminal = out.isatty()
        self.has_status = self._is_terminal and os.environ.get("TERM") != "dumb"
        self._out = out
        self._lines: list[str] = []
        self._recent: deque[str] = deque(maxlen=_RECENT)
        self._status = ""
        """What is on the status line now."""

    def write(self, line: str) -> None:
        """Add a line."""
        self._recent.append(line)
        self._lines.append(_MOVES.sub("", line) if self._is_terminal and "\x1b" in line else line)
        if len(self._lines) >= _MANY:
            self.show(self._status)

    def is_recent(self, line: str) -> bool:
        """Return whether a line is one of the last that were added."""
        return line in self._recent

    def show(self, status: str = "") -> None:
        """Write the lines that were added, and this status below them."""
        if not self.has_status:
            status = ""
        if not self._lines and status == self._status:
            return
        parts = ["\r\x1b[2K"] if self._status else []
        parts += [f"{line}\n" for line in self._lines]
        parts.append(self.style(fit(printable(status), status_width()), "bold"))
        self._lines.clear()
        self._status = status
        self._out.write("".join(parts))
        self._out.flush()


def format_line(line: LogLine, style: Style, name: str | None = None, *, ranks: bool = True) -> str:
    """Return a line as it is shown: `0 | text`, in a red frame if it is from stderr.

    Args:
        line: what to show.
        style: how to paint it.
        name: the job's, where lines of several jobs are shown.
        ranks: whether to show the rank.
    """
    words = [name] if name else []
    if ranks and line.label is not None:
        colour = "dim" if line.rank is None else RANKS[line.rank % len(RANKS)]
        words.append(style(line.label, colour))
    if not words:
        return line.text
    bar = style("|", "red" if line.stream == "stderr" else "dim")
    return " ".join([*words, bar, line.text])
