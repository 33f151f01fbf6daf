"""Findings with the lines they are about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import IO

from bai.cli.render.formats import Run
from bai.cli.render.sources import Sources
from bai.cli.render.style import Style
from bai.cli.render.width import columns, fit, fits, printable, terminal_width, wrap
from bai.specs.findings import Finding, Severity, Span
from bai.specs.parsed_file import UNREADABLE
from bai.specs.words import counted

_MOST_SHOWN = 160
"""Columns of a source line that are shown at most, where there is no terminal to fit."""
_HELP = "  help: "
_LEAD = 20
"""Characters that stay before what a cut line is about."""


def print_findings(
    findings: Iterable[Finding], file: IO[str], texts: Mapping[str, str] | None = None
) -> None:
    """Print findings, each with its source line, and a line that counts them.

    Args:
        findings: what to print.
        file: where to.
        texts: name in spans -> source, where it can't be read again (standard input) or need not.
    """
    write(findings, file, Run(Sources(texts)))


def write(findings: Iterable[Finding], file: IO[str], run: Run) -> None:
    """Write findings for people, each with its source line, and a line that counts them."""
    style = Style(file)
    terminal = terminal_width() if file.isatty() else None
    found = list(findings)
    run.sources.hide(found)
    for finding in found:
        file.write(_format(finding, style, run.sources, terminal))
    counts = Counter(finding.severity for finding in found)
    summary = ", ".join(counted(counts[each], each.value) for each in Severity if counts[each])
    fixable = sum(finding.fix is not None for finding in found)
    if fixable and run.offers_fixes:
        summary += f" ({fixable} fixable with --fix)"
    file.write(style(summary, "bold") + "\n" if summary else "")


def _format(finding: Finding, style: Style, sources: Sources, terminal: int | None) -> str:
    """Return a finding as it is shown; `terminal` is the columns that its lines may take."""
    colour = "red" if finding.severity is Severity.ERROR else "yellow"
    place = ""
    if finding.span:
        # A file that can't be read has no lines.
        where = finding.span.file if finding.code == UNREADABLE else finding.span
        place = printable(f"{where}: ")
    code = f"{finding.severity.value} {finding.code}"
    message = _wrapped(finding.message, terminal, columns(f"{place}{code} "), 4)
    lines = [f"{style(place, 'bold')}{style(code, colour, 'bold')} {message}"]
    if finding.span and (source := sources.line(finding)) is not None:
        lines += _excerpt(finding.span, source, style, colour, terminal or _MOST_SHOWN)
    if finding.hint:
        hint = _wrapped(finding.hint, terminal, len(_HELP), len(_HELP))
        lines.append(f"  {style('help:', 'cyan')} {hint}")
    return "\n".join(lines) + "\n"


def _wrapped(text: str, terminal: int | None, start: int, indent: int) -> str:
    """Return a text for a terminal, broken between words; for files it stays a line."""
    text = " ".join(map(printable, text.splitlines()))
    return text if terminal is None else wrap(text, terminal, start, indent)


def _excerpt(span: Span, source: str, style: Style, colour: str, room: int) -> list[str]:
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(source.rstrip())
    number = str(span.line)
    gutter = " " * len(number)
    shown, begin = _window(source, start, room - len(number) - 5)
    before, marked = shown[:begin], shown[begin : begin + end - start]
    indent = columns(before)
    pointer = "^" + "~" * (columns(marked, indent) - 1)
    return [
        f"  {style(number + ' |', 'dim')} {printable(shown)}",
        f"  {style(gutter + ' |', 'dim')} {' ' * indent}{style(pointer, colour)}",
    ]


def _window(source: str, start: int, room: int) -> tuple[str, int]:
    """Return the part of a line that is shown, and where in it the character at `start` is."""
    if fits(source, room):
        return source, start
    cut = 0
    if not fits(source[:start], room // 2):
        cut = max(0, start - _LEAD)
    rest = "…" + source[cut + 1 :] if cut else source
    return fit(rest, room), start - cut
