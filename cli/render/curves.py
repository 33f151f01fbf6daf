"""Curves of metrics, drawn with characters: lines of dots, and a mark for each curve on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, zip_longest
from math import ceil, floor, isfinite, log10
from typing import IO, Final

from plotille import Canvas

from bai.cli.render.style import RANKS, Style
from bai.cli.render.width import columns, fit, terminal_width
from bai.curves import Curve, Picture
from bai.specs.words import counted, sized

MOST: Final = 8
"""Curves of a picture."""

_MARKS: Final = "ox+*#@%&"
_MARKED: Final = 8
"""Marks on a curve."""
_NARROW: Final = 80
"""Columns of a picture that may stand beside another one."""
_HEIGHT: Final = 12
"""Lines of a picture, without its axis."""
_GAP: Final = 2
_X_TICK: Final = 12
"""Columns between two numbers of the x axis, more or less."""
_Y_TICK: Final = 2.4
"""Lines between two numbers of the y axis, more or less."""
_DOTS: Final = 2
"""Dots of a character beside each other."""
_EDGE: Final = 0.02
"""What is free at each end of an axis, as a share of it."""
_NEAR: Final = 1e-6
_FIRST_DOTS, _LAST_DOTS = 0x2800, 0x28FF


def print_pictures(found: Sequence[Picture], file: IO[str]) -> None:
    """Draw pictures below each other; beside each other where there is room."""
    room = terminal_width()
    beside = max(1, min(len(found), room // _NARROW))
    width = (room - _GAP * (beside - 1)) // beside
    drawn = [list(_lines(picture, width, Style(file))) for picture in found]
    ascii_only = not _takes_dots(file)
    for first in range(0, len(drawn), beside):
        row = drawn[first : first + beside]
        for cells in zip_longest(*row, fillvalue=_Line("")):
            text = (" " * _GAP).join(cell.padded(width) for cell in cells).rstrip()
            file.write(f"{_without_dots(text) if ascii_only else text}\n")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a picture."""

    text: str
    hidden: int = 0
    """How many of its characters are colours, which take no columns."""

    def padded(self, width: int) -> str:
        return self.text + " " * (width - columns(self.text) + self.hidden)


@dataclass(frozen=True, slots=True)
class _Axis:
    """One axis: its ends, and the numbers that stand at it."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]

    def place(self, value: float, cells: int) -> int:
        """Return the cell of a value among some."""
        share = (value - self.low) / (self.high - self.low)
        return min(cells - 1, max(0, int(share * cells)))


def _lines(picture: Picture, width: int, style: Style) -> Iterator[_Line]:
    """Iterate over the lines of a picture, none of them wider than `width`."""
    title = fit(picture.name, width)
    yield _styled(style, title, "bold")
    points = [list(_finite(curve)) for curve in picture.curves]
    every = [point for each in points for point in each]
    if not every:
        yield _Line("no value is a number")
        yield _Line("")
        return
    in_bytes = picture.name.endswith("_bytes")
    ys = _axis([y for _, y in every], _HEIGHT / _Y_TICK, in_bytes=in_bytes, is_round=True)
    left = max(len(text) for _, text in ys.ticks)
    room = max(_X_TICK, width - left - 2)
    xs = _axis([x for x, _ in every], max(2.0, room / _X_TICK), whole=picture.x_name != "seconds")
    labels = {_HEIGHT - 1 - ys.place(at, _HEIGHT): text for at, text in ys.ticks}
    for number, line in enumerate(_canvas(points, xs, ys, room, style)):
        label = labels.get(number, "")
        yield _Line(f"{label:>{left}} {'┤' if label else '│'}{line.text}", line.hidden)
    yield _Line(f"{'':{left}} └{'─' * room}")
    yield _Line(f"{'':{left}}  {_x_numbers(xs, room, picture.x_name)}")
    yield from _legend(picture, width, style)
    yield _Line("")


def _finite(curve: Curve) -> Iterator[tuple[float, float]]:
    pairs = zip(curve.xs, curve.ys, strict=True)
    return ((x, y) for x, y in pairs if isfinite(x) and isfinite(y))


def _canvas(
    points: Sequence[Sequence[tuple[float, float]]], xs: _Axis, ys: _Axis, width: int, style: Style
) -> Iterator[_Line]:
    canvas = Canvas(width, _HEIGHT, xs.low, ys.low, xs.high, ys.high, mode="names")
    for number, curve in enumerate(points):
        colour = None if style.is_plain else RANKS[number % len(RANKS)]
        shown = list(_thinned(curve, xs, width * _DOTS))
        for (x, y), (next_x, next_y) in pairwise(shown):
            canvas.line(x, y, next_x, next_y, color=colour)
        for x, y in _marked(shown, number):
            canvas.point(x, y, color=colour, marker=_MARKS[number % len(_MARKS)])
    for text in canvas.plot(linesep="\n").split("\n"):
        # The dots that are not set take the same room as a space.
        line = text.replace(chr(_FIRST_DOTS), " ")
        yield _Line(line, len(line) - width)


def _thinned(
    points: Sequence[tuple[float, float]], xs: _Axis, dots: int
) -> Iterator[tuple[float, float]]:
    """Iterate over what can be seen of a curve: of all points in a column, four at most."""
    for _, group in groupby(points, key=lambda point: xs.place(point[0], dots)):
        found = list(group)
        low, high = (pick(found, key=lambda point: point[1]) for pick in (min, max))
        yield from dict.fromkeys([found[0], low, high, found[-1]])


def _marked(points: Sequence[tuple[float, float]], number: int) -> Sequence[tuple[float, float]]:
    """Return the points of a curve that get its mark, not the same ones as for the next curve."""
    every = max(1, len(points) // _MARKED)
    return points[number * every // 3 % every :: every]


def _legend(picture: Picture, width: int, style: Style) -> Iterator[_Line]:
    labels = [curve.label for curve in picture.curves]
    if any(labels):
        for number, label in enumerate(labels):
            text = fit(f"{_MARKS[number % len(_MARKS)]} {label}", width - _GAP)
            line = _styled(style, text, RANKS[number % len(RANKS)])
            yield _Line(f"{'':{_GAP}}{line.text}", line.hidden)
    if picture.left_out:
        yield _Line(f"{'':{_GAP}}and {counted(picture.left_out, 'more curve')}")


def _styled(style: Style, text: str, *names: str) -> _Line:
    styled = style(text, *names)
    return _Line(styled, len(styled) - len(text))


def _axis(
    values: Sequence[float],
    count: float,
    *,
    whole: bool = False,
    in_bytes: bool = False,
    is_round: bool = False,
) -> _Axis:
    """Return an axis around some values with about `count` round numbers.

    Args:
        values: what lies along it.
        count: how many numbers stand at it.
        whole: whether values have no fractions.
        in_bytes: whether values are numbers of bytes.
        is_round: whether it begins and ends with such numbers.
    """
    low, high = min(values), max(values)
    if low == high:
        around = abs(low) / 2 or 1.0
        low, high = low - around, high + around
    step = _round_step((high - low) / count)
    if whole:
        step = max(1.0, step)
    if is_round:
        low, high = floor(low / step) * step, ceil(high / step) * step
    digits = max(0, -floor(log10(step)))
    ticks = []
    for number in range(ceil(low / step - _NEAR), floor(high / step + _NEAR) + 1):
        at = number * step
        large = abs(at) >= 1e6 or (at and step < 1e-4)
        text = sized(int(at)) if in_bytes else f"{at:.3g}" if large else f"{at:.{digits}f}"
        ticks.append((at, text))
    # What lies at an end has room there.
    edge = (high - low) * _EDGE
    return _Axis(low - edge, high + edge, ticks)


def _round_step(step: float) -> float:
    """Return the next number of 1, 2 and 5, with any number of zeros before or behind."""
    power = 10.0 ** floor(log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * 0.999)


def _x_numbers(axis: _Axis, room: int, name: str) -> str:
    """Return the line of numbers below a picture, with the name of the axis at its end."""
    line = ""
    free = room - len(name) - 1
    for at, text in axis.ticks:
        start = max(0, axis.place(at, room) - len(text) // 2)
        if (not line or start > len(line)) and start + len(text) <= free:
            line = line.ljust(start) + text
    return f"{line:<{free}} {name}"


def _takes_dots(file: IO[str]) -> bool:
    try:
        chr(_LAST_DOTS).encode(getattr(file, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _without_dots(text: str) -> str:
    """Return a picture in ASCII."""
    frame = {ord("│"): "|", ord("┤"): "+", ord("└"): "+", ord("─"): "-", ord("…"): "~"}
    dots = dict.fromkeys(range(_FIRST_DOTS, _LAST_DOTS + 1), ".")
    return text.translate(frame | dots)
