"""Plain columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import IO

from bai.cli.render.style import Style
from bai.cli.render.width import columns, fit, terminal_width
from bai.specs.words import duration

STATE_COLOURS = {
    "queued": "yellow",
    "running": "cyan",
    "terminating": "yellow",
    "succeeded": "green",
    "failed": "red",
    "cancelled": "yellow",
    "stopped early": "yellow",
}


def print_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], file: IO[str], yielding: Sequence[str] = ()
) -> None:
    """Print rows under a heading, as wide as their widest values.

    Args:
        head: the headings, each another one.
        rows: a value for each heading.
        file: where to.
        yielding: headings of columns that are shortened or left out where a terminal is too
            narrow, the least important first. Elsewhere all is shown.
    """
    style = Style(file)
    found = {cells[0]: cells[1:] for cells in zip(head, *rows, strict=True)}
    widths = {heading: _width([heading, *cells]) for heading, cells in found.items()}
    shown = fitted(widths, terminal_width(), yielding) if file.isatty() else widths
    padded = [
        [_padded(heading, width, style, "bold"), *_column(found[heading], width, style)]
        for heading, width in shown.items()
    ]
    file.writelines((" " * GAP).join(cells).rstrip() + "\n" for cells in zip(*padded, strict=True))
    if left_out := [heading for heading in head if heading not in shown]:
        print_note(f"no room for {', '.join(left_out)}", file)


def print_note(sentence: str, file: IO[str]) -> None:
    """Print a line about the table above it."""
    file.write(Style(file)(sentence, "dim") + "\n")


def _width(cells: Sequence[str]) -> int:
    """Return the columns of the widest of some texts."""
    return max(map(len if _is_plain(cells) else columns, cells))


def _is_plain(cells: Sequence[str]) -> bool:
    """Return whether each character of some texts takes one column."""
    text = "".join(cells)
    return text.isascii() and "\t" not in text


def _column(cells: Sequence[str], width: int, style: Style) -> list[str]:
    """Return the cells of a column, each as wide as it; thousands of them in little time."""
    if style.is_plain and _is_plain(cells) and max(map(len, cells), default=0) <= width:
        return [cell.ljust(width) for cell in cells]
    return [_padded(cell, width, style) for cell in cells]


def _padded(cell: str, width: int, style: Style, *colours: str) -> str:
    if (taken := columns(cell)) > width:
        cell = fit(cell, width)
        taken = columns(cell)
    painted = style(cell, *([STATE_COLOURS[cell]] if cell in STATE_COLOURS else colours))
    return painted + " " * (width - taken)


def age(time: datetime) -> str:
    """Return how long ago a time was, in its largest units: 12s, 5m10s, 3h2m, 2d4h."""
    return duration((datetime.now(UTC) - time).total_seconds())


GAP = 2
"""Spaces between two columns."""
_SHORTEST = 12
"""How many characters a shortened column keeps: enough to distinguish most values."""


def fitted(widths: Mapping[str, int], room: int, yielding: Sequence[str]) -> dict[str, int]:
    """Return the columns to show, and how wide.

    First columns are shortened, the widest most; where that is not enough, one after the other
    is left out.

    Args:
        widths: heading -> width of its column, in the order of the table.
        room: columns of the terminal.
        yielding: headings of what may be shortened and left out, the least important first. The
            others stay as they are, also where they have no room.
    """
    left_out: set[str] = set()
    order = [heading for heading in yielding if heading in widths]
    while True:
        shown = {heading: widths[heading] for heading in widths if heading not in left_out}
        if _shorten(shown, room, yielding) or not order:
            return shown
        left_out.add(order.pop(0))


def _shorten(widths: dict[str, int], room: int, yielding: Sequence[str]) -> bool:
    """Shorten columns until they fit, and return whether they do."""
    over = sum(widths.values()) + GAP * (len(widths) - 1) - room
    for _ in range(over):
        long = [h for h in yielding if widths.get(h, 0) > max(len(h), _SHORTEST)]
        if not long:
            return False
        widths[max(long, key=widths.__getitem__)] -= 1
    return True
