"""Log lines, each after the rank that wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bai.cli.render.style import RANKS, Style

if TYPE_CHECKING:
    from bai.logs import LogLine


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
