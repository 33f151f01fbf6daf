"""Findings with the lines they are about."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import IO

from bai.cli.render.style import Style
from bai.specs.findings import Finding, Severity, Span

TAB = 4
SECRET_CODES = frozenset({"BAI601", "BAI603"})
"""Findings about a secret in plain text, which must not be shown once more."""
_MOST_SHOWN = 160
"""Columns of a source line that are shown at most."""


def print_findings(findings: Iterable[Finding], file: IO[str], text: str | None = None) -> None:
    """Print findings, each with its source line, and a line that counts them.

    Args:
        findings: what to print.
        file: where to.
        text: the source, where it can't be read again (standard input).
    """
    style = Style(file)
    found = list(findings)
    for finding in found:
        file.write(_format(finding, style, text))
    counts = [
        _count(sum(f.severity is severity for f in found), severity.value) for severity in Severity
    ]
    summary = ", ".join(filter(None, counts))
    file.write(style(summary, "bold") + "\n" if summary else "")


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number != 1 else ''}" if number else ""


def _format(finding: Finding, style: Style, text: str | None) -> str:
    colour = "red" if finding.severity is Severity.ERROR else "yellow"
    place = style(f"{finding.span}: ", "bold") if finding.span else ""
    code = style(f"{finding.severity.value} {finding.code}", colour, "bold")
    lines = [f"{place}{code} {finding.message}"]
    if finding.span and (source := _source(finding.span, text)) is not None:
        if finding.code in SECRET_CODES:
            source = _masked(source, finding.span)
        lines += _excerpt(finding.span, source, style, colour)
    if finding.hint:
        lines.append(f"  {style('help:', 'cyan')} {finding.hint}")
    return "\n".join(lines) + "\n"


def _excerpt(span: Span, source: str, style: Style, colour: str) -> list[str]:
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(source.rstrip())
    shift = 0
    if len(source) > _MOST_SHOWN:
        shift = max(0, start - 20)
        source = source[shift : shift + _MOST_SHOWN]
    before, marked = source[: start - shift], source[start - shift : end - shift]
    width = max(1, _width(marked, _width(before)))
    number = str(span.line)
    gutter = " " * len(number)
    pointer = "^" + "~" * (width - 1)
    return [
        f"  {style(number + ' |', 'dim')} {_expanded(source)}",
        f"  {style(gutter + ' |', 'dim')} {' ' * _width(before)}{style(pointer, colour)}",
    ]


def _masked(source: str, span: Span) -> str:
    """Return a line with what the span covers, and all behind it if it goes on, as stars."""
    end = span.end_column - 1 if span.end_line == span.line else len(source)
    start = span.column - 1
    return source[:start] + "*" * (end - start) + source[end:]


def _expanded(text: str) -> str:
    parts, column = [], 0
    for character in text:
        if character == "\t":
            parts.append(" " * (TAB - column % TAB))
            column += TAB - column % TAB
        else:
            parts.append(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}")
            column += _columns(character)
    return "".join(parts)


def _width(text: str, start: int = 0) -> int:
    column = start
    for character in text:
        column += TAB - column % TAB if character == "\t" else _columns(character)
    return column - start


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _source(span: Span, text: str | None) -> str | None:
    lines = tuple(text.split("\n")) if text is not None else _lines(span.file)
    return lines[span.line - 1] if 0 < span.line <= len(lines) else None


@lru_cache(maxsize=8)
def _lines(file: str) -> tuple[str, ...]:
    try:
        return tuple(Path(file).read_text("utf-8-sig", "replace").split("\n"))
    except OSError:
        return ()
