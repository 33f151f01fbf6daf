"""Source lines without the secrets in them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from bai.specs.findings import Span

SECRET_CODES: Final = frozenset({"BAI601", "BAI603", "BAI607", "BAI608", "BAI609"})
"""Findings about a secret in plain text, which must not be shown once more."""


class Masks:
    """Hides the secrets of one file."""

    def __init__(self, file: str, text: str) -> None:
        """Look at a file's text; nothing is computed yet."""
        self._file = file
        self._text = text

    def masked(self, source: str, line: int, told: Iterable[Span]) -> str:
        """Return a line with stars in place of every secret on it.

        Args:
            source: the line, without its end.
            line: its number.
            told: where findings say that secrets stand.
        """
        spans, is_broken = self._secrets
        ranges = [
            (
                span.column - 1 if span.line == line else 0,
                span.end_column - 1 if span.end_line == line else len(source),
            )
            for span in (*spans, *told)
            if span.file == self._file and span.line <= line <= span.end_line
        ]
        if is_broken:
            from bai.specs.secret_places import secret_ranges

            ranges += secret_ranges(source)
        for start, end in ranges:
            source = source[:start] + "*" * (end - start) + source[end:]
        return source

    @cached_property
    def _secrets(self) -> tuple[tuple[Span, ...], bool]:
        """The places of the file's secrets, and whether a part of it can't be parsed."""
        from bai.specs.reader import read
        from bai.specs.secret_places import secret_spans

        documents, findings = read(self._text, self._file)
        spans = tuple(span for document in documents for span in secret_spans(document))
        return spans, bool(findings)


def hidden(text: str, file: str) -> str:
    """Return a text with stars in place of every secret in it."""
    masks = Masks(file, text)
    lines = text.split("\n")
    return "\n".join(masks.masked(line, number, ()) for number, line in enumerate(lines, 1))
