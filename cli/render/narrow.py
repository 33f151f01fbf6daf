"""Which columns of a table a narrow terminal has room for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
