"""Places inside of values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from bai.specs.document import Document
from bai.specs.findings import Path, Span
from bai.specs.reference_groups import TO_VARIABLES, one_of
from bai.specs.source.lines import Lines
from bai.specs.source.source_map import places, readings

_FAR: Final = 20_000
"""Characters of a line that are searched, so that many findings in one line stay cheap."""


# A file may have thousands of findings, so that its lines, and a value's places, are kept a while.
lines_of = lru_cache(maxsize=2)(Lines)


def part_span(document: Document, path: Path, part: str, before: int = 0) -> Span:
    """Return the span of a part of the text at `path`.

    Args:
        document: where the text stands.
        path: the text's place; it may be a step deeper than what is written, for short forms.
        part: the part, on one line.
        before: how often the same part stands in the text already, before the one that is meant.

    Returns:
        The part's own span; that of the whole value where the source spells the part otherwise,
        with escapes for one.
    """
    return narrow(document.span(path), document.text, part, before)


def narrow(span: Span, text: str, part: str, before: int = 0) -> Span:
    """Return the span of a part of what `span` covers in `text`; `span` if it is not there.

    In very long lines only the beginning is searched.
    """
    lines = lines_of(text)
    for number in range(span.line, min(span.end_line, len(lines)) + 1):
        line = lines.line(number)
        start = span.column - 1 if number == span.line else 0
        end = span.end_column - 1 if number == span.end_line else len(line)
        end = min(end, start + _FAR)
        while (at := line.find(part, start, end)) >= 0:
            if before == 0:
                column, last = at + 1, at + 1 + len(part)
                return span._replace(line=number, end_line=number, column=column, end_column=last)
            before -= 1
            start = at + len(part)
    return span


_REFERENCE = re.compile(
    r"(?<![\\$])(?P<parameter>\$\{parameters\.[^{}]*\})"
    rf"|\$\{{{one_of(TO_VARIABLES)}\.(?P<name>[^{{}}]*)\}}"
)
_LONGEST = 200_000
"""Characters; the places of those of a longer value would take much memory and time."""
_EXPANSION = re.compile(r"\$AZ_BATCHAI_(?:(?:JOB_)?MOUNT_ROOT/|INPUT_|OUTPUT_)")


def inner_span(
    span: Span, text: str, value: str, start: int, end: int, substitutes: tuple[str, ...] = ()
) -> Span:
    """Return the span of a range of the characters of a scalar's value.

    Args:
        span: where the scalar stands.
        text: the text of the whole file.
        value: what the scalar is read as; in a spec, `${...}` references in it are expanded.
        start: the first character of the range, counted from 0.
        end: where the range ends.
        substitutes: what stands in it in place of references to parameters.

    Returns:
        The range's own span; that of the whole value where the scalar is not read as `value`, or
        is very long.
    """
    if not 0 <= start < end <= len(value) <= _LONGEST:
        return span
    found = origins(text, span, value, substitutes)
    if found is None:
        return narrow(span, text, value[start:end], value.count(value[start:end], 0, start))
    lines = lines_of(text)
    line, column = lines.place(found[start][0])
    end_line, end_column = lines.place(found[end - 1][1])
    return span._replace(line=line, column=column, end_line=end_line, end_column=end_column)


def text_at(text: str, span: Span) -> str:
    """Return what a span covers in a text; of several lines, the part in the first."""
    line = line_at(text, span.line)
    return line[span.column - 1 : span.end_column - 1 if span.line == span.end_line else None]


def line_at(text: str, number: int) -> str:
    """Return a line of a text, counted from 1, without its end; empty if there is none."""
    lines = lines_of(text)
    return lines.line(number) if 0 < number <= len(lines) else ""


class Reading(NamedTuple):
    """How the source of a scalar is read as its value."""

    number: int
    """Which of the possible `readings` it is."""
    written: str
    """The value as it is written, without expansions."""
    starts: list[int]
    """For each character of `written`, where in the text it begins."""
    origins: list[tuple[int, int]]
    """For each character of the value, the half-open range of the text that it came from: for all
    characters of an expansion, that of the whole reference."""


@lru_cache(maxsize=2)
def reading(text: str, span: Span, value: str, substitutes: tuple[str, ...] = ()) -> Reading | None:
    """Return how a scalar is read; None where it is not read as `value`.

    Args:
        text: the text of the whole file.
        span: where the scalar stands.
        value: what it is read as; in a spec, `${...}` references in it are expanded.
        substitutes: what stands in it in place of references to parameters.
    """
    lines = lines_of(text)
    try:
        first = lines.offset(span.line, span.column)
        last = lines.offset(span.end_line, span.end_column)
    except IndexError:
        return None
    for number, (written, pieces) in enumerate(readings(text, first, last)):
        if written != value and "${" not in written:
            continue
        known = places(pieces)
        found = known if written == value else _expanded(written, value, known, substitutes)
        if found or written == value:
            return Reading(number, written, [start for start, _ in known], found or [])
    return None


def origins(
    text: str, span: Span, value: str, substitutes: tuple[str, ...] = ()
) -> list[tuple[int, int]] | None:
    """Return `Reading.origins` of a scalar; None where it is not read as `value`."""
    found = reading(text, span, value, substitutes)
    return found.origins if found else None


def _expanded(
    written: str, value: str, origins: list[tuple[int, int]], substitutes: tuple[str, ...]
) -> list[tuple[int, int]] | None:
    """Return the places of a value in which references of what was written are expanded.

    All characters of an expansion come from the whole reference.
    """
    found: list[tuple[int, int]] = []
    at = 0
    rest = iter(substitutes)
    for match in _REFERENCE.finditer(written):
        begin = len(found) + match.start() - at
        size = _size(match, value, begin, rest)
        if size is None:
            # A reference to nothing stays as it is.
            continue
        if written[at : match.start()] != value[len(found) : begin]:
            return None
        found += origins[at : match.start()]
        whole = (origins[match.start()][0], origins[match.end() - 1][1])
        found += [whole] * size
        at = match.end()
    return found + origins[at:] if written[at:] == value[len(found) :] else None


def _size(match: re.Match[str], value: str, at: int, substitutes: Iterator[str]) -> int | None:
    """Return how many characters a reference makes at a place of a value; None if it makes none."""
    if match["parameter"]:
        return _size_of(next(substitutes, match[0]), value, at)
    expansion = _EXPANSION.match(value, at)
    if expansion is None or not value.startswith(match["name"], expansion.end()):
        return None
    return len(expansion[0]) + len(match["name"])


def _size_of(substitute: str, value: str, at: int) -> int | None:
    """Return how many characters of a value a substitute makes, whose own references are expanded.

    None if it does not stand there.
    """
    begin, done = at, 0
    for match in _REFERENCE.finditer(substitute):
        literal = substitute[done : match.start()]
        size = None if match["parameter"] else _size(match, value, begin + len(literal), iter(()))
        if size is not None and value.startswith(literal, begin):
            begin, done = begin + len(literal) + size, match.end()
    rest = substitute[done:]
    return begin + len(rest) - at if value.startswith(rest, begin) else None
