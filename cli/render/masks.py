"""Source lines without the secrets in them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from bai.specs.findings import Finding, Span

SECRET_CODES = frozenset({"BAI601", "BAI603"})
"""Findings about a secret in plain text, which must not be shown once more."""


class Masks:
    """Hides the secrets of the files that findings are about."""

    def __init__(self, findings: Iterable[Finding], text: str | None) -> None:
        """Take the findings that are printed together.

        Args:
            findings: those of them about a secret say where one stands.
            text: the source, where it can't be read again (standard input).
        """
        self._text = text
        self._told = [f.span for f in findings if f.span and f.code in SECRET_CODES]

    def masked(self, source: str, file: str, line: int) -> str:
        """Return a line of a file with stars in place of every secret on it."""
        spans, is_broken = _secrets(file, self._text)
        ranges = [
            (
                span.column - 1 if span.line == line else 0,
                span.end_column - 1 if span.end_line == line else len(source),
            )
            for span in (*spans, *self._told)
            if span.file == file and span.line <= line <= span.end_line
        ]
        if is_broken:
            from bai.specs.secret_places import secret_ranges

            ranges += secret_ranges(source)
        for start, end in ranges:
            source = source[:start] + "*" * (end - start) + source[end:]
        return source


@lru_cache(maxsize=8)
def _secrets(file: str, text: str | None) -> tuple[tuple[Span, ...], bool]:
    """Return the places of the secrets of a file, and whether a part of it can't be parsed."""
    from bai.specs.reader import read
    from bai.specs.secret_places import secret_spans

    documents, findings = read("\n".join(lines_of(file, text)), file)
    spans = tuple(span for document in documents for span in secret_spans(document))
    return spans, bool(findings)


def lines_of(file: str, text: str | None) -> tuple[str, ...]:
    """Return the lines of a text, or else of a file; none if it can't be read."""
    return tuple(text.split("\n")) if text is not None else _lines(file)


@lru_cache(maxsize=8)
def _lines(file: str) -> tuple[str, ...]:
    try:
        return tuple(Path(file).read_text("utf-8-sig", "replace").split("\n"))
    except OSError:
        return ()
