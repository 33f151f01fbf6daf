"""Places inside of values."""

from __future__ import annotations

import re
from dataclasses import replace

from bai.specs.document import Document
from bai.specs.findings import Path, Span
from bai.specs.scalar_source import places, readings

_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""What counts as the end of a line in YAML."""


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
    """Return the span of a part of what `span` covers in `text`; `span` if it is not there."""
    lines = _LINE_BREAK.split(text)
    for number in range(span.line, min(span.end_line, len(lines)) + 1):
        line = lines[number - 1]
        start = span.column - 1 if number == span.line else 0
        end = span.end_column - 1 if number == span.end_line else len(line)
        while (at := line.find(part, start, end)) >= 0:
            if before == 0:
                column, last = at + 1, at + 1 + len(part)
                return replace(span, line=number, end_line=number, column=column, end_column=last)
            before -= 1
            start = at + len(part)
    return span


_REFERENCE = re.compile(r"\$\{(?:mounts|inputs|outputs)\.([^{}]*)\}")
_EXPANSION = re.compile(r"\$AZ_BATCHAI_(?:(?:JOB_)?MOUNT_ROOT/|INPUT_|OUTPUT_)")


def inner_span(span: Span, text: str, value: str, start: int, end: int) -> Span:
    """Return the span of a range of the characters of a scalar's value.

    Args:
        span: where the scalar stands.
        text: the text of the whole file.
        value: what the scalar is read as; in a spec, `${...}` references in it are expanded.
        start: the first character of the range, counted from 0.
        end: where the range ends.

    Returns:
        The range's own span; that of the whole value where the scalar is not read as `value`.
    """
    lines = text.split("\n", span.end_line)
    if not 0 <= start < end <= len(value) or span.end_line > len(lines):
        return span
    last = sum(len(line) + 1 for line in lines[: span.end_line - 1]) + span.end_column - 1
    first = sum(len(line) + 1 for line in lines[: span.line - 1]) + span.column - 1
    found = _value_places(text[first:last], value)
    if found is None:
        return narrow(span, text, value[start:end], value.count(value[start:end], 0, start))
    line, column = _place(text, first + found[start][0])
    end_line, end_column = _place(text, first + found[end - 1][1])
    return replace(span, line=line, column=column, end_line=end_line, end_column=end_column)


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _value_places(source: str, value: str) -> list[tuple[int, int]] | None:
    """Return for each character of a value the range of a scalar's source that it came from."""
    for written, pieces in readings(source):
        if written == value:
            return places(pieces)
        if "${" in written and (found := _expanded(written, value, places(pieces))):
            return found
    return None


def _expanded(
    written: str, value: str, origins: list[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """Return the places of a value in which references of what was written are expanded.

    All characters of an expansion come from the whole reference.
    """
    found: list[tuple[int, int]] = []
    at = 0
    for match in _REFERENCE.finditer(written):
        kept = match.start() - at
        expansion = _EXPANSION.match(value, len(found) + kept)
        if expansion is None or not value.startswith(match[1], expansion.end()):
            # A reference to nothing stays as it is.
            continue
        if written[at : match.start()] != value[len(found) : len(found) + kept]:
            return None
        found += origins[at : match.start()]
        whole = (origins[match.start()][0], origins[match.end() - 1][1])
        found += [whole] * (len(expansion[0]) + len(match[1]))
        at = match.end()
    return found + origins[at:] if written[at:] == value[len(found) :] else None
