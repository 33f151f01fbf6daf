"""Source lines without the secrets in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from bai.specs.findings import Finding, Span

SECRET_CODES: Final = frozenset({"BAI601", "BAI603", "BAI607", "BAI608", "BAI609"})
"""Findings about a secret in plain text, which must not be shown once more."""


class Ranges:
    """The characters that spans of one file cover, by line: a finding asks for its line alone."""

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        """Begin with some spans."""
        self._known: set[Span] = set()
        self._by_line: dict[int, list[tuple[int, int | None]]] = {}
        for span in spans:
            self.add(span)

    def add(self, span: Span) -> None:
        """Add a span, if it is not known."""
        if span in self._known:
            return
        self._known.add(span)
        for line in range(span.line, span.end_line + 1):
            start = span.column - 1 if line == span.line else 0
            end = span.end_column - 1 if line == span.end_line else None
            self._by_line.setdefault(line, []).append((start, end))

    def on(self, line: int) -> Sequence[tuple[int, int | None]]:
        """Return the half-open ranges of a line; an end of None is the line's."""
        return self._by_line.get(line, ())


class Masks:
    """Hides the secrets of one file."""

    def __init__(self, file: str, text: str) -> None:
        """Take a file's text; its secrets are computed when needed."""
        self._file = file
        self._text = text
        self._last: tuple[int, int, str] | None = None
        """The last line, the number of its ranges, and its masked text."""

    def masked(self, source: str, line: int, found: Ranges) -> str:
        """Return a line with stars in place of every secret on it.

        Args:
            source: the line, without its end.
            line: its number.
            found: the places of findings about secrets; they only grow.
        """
        written, is_broken = self._secrets
        known, more = written.on(line), found.on(line)
        count = len(known) + len(more)
        # One long line may have all the findings of a file.
        if self._last and self._last[:2] == (line, count):
            return self._last[2]
        ranges = [(start, len(source) if end is None else end) for start, end in (*known, *more)]
        if is_broken:
            from bai.specs.secret_places import secret_ranges

            ranges += secret_ranges(source)
        shown = _starred(source, ranges)
        self._last = (line, count, shown)
        return shown

    @cached_property
    def _secrets(self) -> tuple[Ranges, bool]:
        """The places of the file's secrets, and whether a part of it can't be parsed."""
        from bai.specs.secret_places import secret_spans
        from bai.specs.syntax.reader import read

        documents, findings = read(self._text, self._file)
        spans = (span for document in documents for span in secret_spans(document))
        return Ranges(spans), bool(findings)


def hidden(text: str, file: str, findings: Iterable[Finding] = ()) -> str:
    """Return a text with stars in place of every secret in it.

    Args:
        text: the text.
        file: its name in spans.
        findings: findings in it; those of `SECRET_CODES` are about further secrets.
    """
    masks, found = Masks(file, text), Ranges(found_secrets(findings))
    lines = text.split("\n")
    return "\n".join(masks.masked(line, number, found) for number, line in enumerate(lines, 1))


def found_secrets(findings: Iterable[Finding]) -> Iterator[Span]:
    """Iterate over the places of findings about secrets."""
    for finding in findings:
        if finding.span and finding.code in SECRET_CODES:
            yield finding.span


def _starred(source: str, ranges: Iterable[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in sorted(ranges):
        begin, stop = max(start, at), min(end, len(source))
        if begin < stop:
            parts += [source[at:begin], "*" * (stop - begin)]
            at = stop
    return "".join(parts) + source[at:]
