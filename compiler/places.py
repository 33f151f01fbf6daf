"""Places inside of values."""

from __future__ import annotations

import re
from dataclasses import replace

from bai.specs.document import Document
from bai.specs.findings import Path, Span

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
