"""Findings about the comments that suppress findings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from bai.linter.suppressions.directives import Suppression
from bai.specs.codes import CODES, make_finding
from bai.specs.findings import Finding, Fix, Span

UNUSED: Final = "BAI901"
"""A suppression that suppresses nothing."""
UNKNOWN: Final = "BAI902"
"""A suppression of a code that no rule has."""
MALFORMED: Final = "BAI903"
"""A suppression that names no codes, or stands where it can't work."""
_WRITE: Final = "write # bai: ignore[CODE] and why"


def suppression_findings(
    suppression: Suppression, lines: Sequence[str], unchecked: Collection[str]
) -> Iterator[Finding]:
    """Iterate over findings about a suppression: misplaced, of no known code, or of no use."""
    if suppression.problem:
        yield _malformed(suppression, suppression.problem)
        return
    unused = []
    for code, span in suppression.codes:
        if not re.fullmatch("BAI[0-9]+", code) or not any(k.startswith(code) for k in CODES):
            meant = code.upper()
            hint = f"write {meant}" if meant in CODES else "`bai rules` lists the codes"
            yield make_finding(UNKNOWN, f"there is no code {code}", span, hint)
        elif code not in suppression.used and not any(
            other.startswith(code) or code.startswith(other) for other in unchecked
        ):
            unused.append((code, span))
    if not unused:
        return
    names = " or ".join(code for code, _ in unused)
    kept = [code for code, _ in suppression.codes if code not in {code for code, _ in unused}]
    where = "in this file" if suppression.lines is None else "here"
    span, hint = suppression.span, "remove the comment"
    place = _comment_span(suppression, lines)
    if kept:
        hint = f"remove {names}"
        span = unused[0][1] if len(unused) == 1 else span
        first, last = suppression.codes[0][1], suppression.codes[-1][1]
        place = Span(first.file, first.line, first.column, last.end_line, last.end_column)
    fix = Fix.replace(place, ", ".join(kept))
    yield make_finding(UNUSED, f"no finding {names} {where} to ignore", span, hint, fix)


def _malformed(suppression: Suppression, problem: str) -> Finding:
    span, misspelt = suppression.span, suppression.misspelt
    if misspelt is None:
        return make_finding(MALFORMED, problem, span, _WRITE)
    from bai.linter.suppressions.misspelt import fix_of

    span = Span(span.file, span.line, misspelt.start + 1, span.line, misspelt.end + 1)
    hint, fix = f"write {misspelt.correction}", fix_of(misspelt, span)
    return make_finding(MALFORMED, problem, span, hint, fix)


def block_findings(
    suppressions: Sequence[Suppression], findings: Sequence[Finding], file: str
) -> Iterator[Finding]:
    """Iterate over findings about suppressions in block scalars that other findings are about."""
    codes: dict[range, set[str]] = {each.lines: set() for each in suppressions if each.lines}
    at_line = {line: here for lines, here in codes.items() for line in lines}
    for finding in findings:
        if finding.span and finding.span.file == file and finding.span.line in at_line:
            at_line[finding.span.line].add(finding.code)
    for each in suppressions:
        meant = tuple(code for code, _ in each.codes if code != "BAI")
        if each.lines and any(code.startswith(meant) for code in codes[each.lines]):
            message = "this comment is a part of the text, and suppresses nothing"
            hint = f"write it on line {each.lines.start}, behind the | or > that begins the text"
            yield make_finding(MALFORMED, message, each.span, hint)


def _comment_span(suppression: Suppression, lines: Sequence[str]) -> Span:
    """Return what goes with the comment: the space before it, or the whole line."""
    span = suppression.span
    line = lines[span.line - 1]
    before = line[: span.column - 1].rstrip()
    last = span.end_column > len(line.rstrip())
    if before or not last:
        column = len(before) + 1 if last else span.column
        end = len(line) + 1 if last else span.end_column
        return Span(span.file, span.line, column, span.line, end)
    if span.line < len(lines):
        return Span(span.file, span.line, 1, span.line + 1, 1)
    return Span(span.file, span.line, 1, span.line, len(line) + 1)
