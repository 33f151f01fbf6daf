"""Comments that suppress findings.

- `# bai: ignore[BAI203, BAI5] reason` suppresses what starts on its line, or anywhere in the text
  of several lines that its line is a part of. Alone on a line, it is about the next line with
  content.
- `# bai: ignore-file[BAI203] reason` above the first line with content is about the whole file.

A code may be a prefix: `BAI5` is the whole group. What is nearly a suppression suppresses nothing,
and is told (`directive_slips`). Syntax errors can't be suppressed: in a file
with one, no other finding is either, since nobody knows what is a comment there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bai.specs.codes import make_finding
from bai.specs.findings import Finding, Fix, Span
from bai.specs.source.lines import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from bai.linter.suppressions.comments import Layout
    from bai.linter.suppressions.directive_errors import Slip

UNUSED: Final = "BAI901"
"""A suppression that suppresses nothing."""
UNKNOWN: Final = "BAI902"
"""A suppression of a code that no rule has."""
MALFORMED: Final = "BAI903"
"""A suppression that names no codes, or stands where it can't work."""

MARK: Final = "bai:"
"""What every suppression holds."""
_SYNTAX: Final = "BAI1"
_PATTERN: Final = r"#[ \t]*bai:[ \t]*ignore(?!\w)(?P<scope>-\w*)?[ \t]*(?:\[(?P<codes>[^\]#]*)\])?"
_WRITE = "write # bai: ignore[CODE] and why"


@dataclass(slots=True)
class Suppression:
    """One comment that suppresses findings. Lines and columns count from 1."""

    span: Span
    """From `#` to the end of the comment, its reason included."""
    codes: tuple[tuple[str, Span], ...]
    """Codes or prefixes of codes, in their order."""
    lines: range | None
    """The lines that it is about; None for the whole file."""
    problem: str | None = None
    """Why it can't work."""
    slip: Slip | None = None
    """What it is meant to be, if that is known."""
    used: set[str] = field(default_factory=set)
    """The codes that suppressed something."""

    def takes(self, finding: Finding) -> bool:
        """Return whether this suppresses a finding on its lines, and remember that it did."""
        if self.problem:
            return False
        # `BAI` alone would hide whatever comes next.
        meant = (code for code, _ in self.codes if code != "BAI")
        matching = {code for code in meant if finding.code.startswith(code)}
        self.used |= matching
        return bool(matching)


def apply(
    findings: Sequence[Finding],
    text: str,
    file: str,
    known: Collection[str],
    unchecked: Collection[str] = (),
) -> Sequence[Finding]:
    """Drop the findings that comments suppress, and add those about the comments themselves.

    Args:
        findings: all findings of the file, before settings drop any: a suppression counts as
            unused only if what it suppresses was looked for.
        text: the file's text.
        file: its name in spans; findings of other files stay.
        known: all codes that there are.
        unchecked: codes that were not looked for this time.
    """
    if any(f.code.startswith(_SYNTAX) for f in findings):
        return findings
    (found, in_blocks), slips = _read(text, file), _slips(text)
    if not found and not in_blocks and not slips:
        return findings
    kept = unsuppressed(findings, found, file)
    kept += list(_in_blocks(in_blocks, kept, file))
    lines = _lines(text)
    for suppression in found:
        kept += _complaints(suppression, lines, known, unchecked)
    if slips:
        from bai.linter.suppressions.directive_errors import violations

        kept += violations(slips, file, known)
    return kept


def unsuppressed(
    findings: Sequence[Finding], found: Sequence[Suppression], file: str
) -> list[Finding]:
    """Drop the findings of a file that comments suppress, and say nothing about the comments."""
    suppressed = _by_line(found)
    return [
        finding
        for finding in findings
        if not (finding.span and finding.span.file == file and suppressed(finding))
    ]


def suppressions(text: str, file: str) -> list[Suppression]:
    """Return the suppressions of a file without syntax errors, in their order."""
    return _read(text, file)[0]


def _read(text: str, file: str) -> tuple[list[Suppression], list[Suppression]]:
    """Return the suppressions of a file, and what looks like some in the text of its blocks."""
    if MARK not in text:
        return [], []
    lines = _lines(text)
    matches = [
        (number, match)
        for number, line in enumerate(lines)
        if MARK in line
        for match in re.finditer(_PATTERN, line)
    ]
    if not matches:
        return [], []
    from bai.linter.suppressions.comments import layout

    places = [(number, match.start()) for number, match in matches]
    told = layout("\n".join(lines), places)
    found: list[Suppression] = []
    in_blocks: list[Suppression] = []
    for index, (number, match) in enumerate(matches):
        items = found if places[index] in told.comments else in_blocks
        if items is in_blocks and places[index] not in told.in_blocks:
            continue
        end = len(lines[number].rstrip())
        if index + 1 < len(matches) and matches[index + 1][0] == number:
            end = matches[index + 1][1].start()
        items.append(_suppression(match, number, end, told, file))
    return found, in_blocks


def _slips(text: str) -> list[tuple[int, Slip]]:
    """Return the comments that are nearly suppressions, with the numbers of their lines from 0."""
    lines = _lines(text)
    nearly = [
        (number, line) for number, line in enumerate(lines) if "#" in line and "bai" in line.lower()
    ]
    if not nearly:
        return []
    from bai.linter.suppressions.comments import layout
    from bai.linter.suppressions.directive_errors import slips

    found = [
        (number, slip)
        for number, line in nearly
        for slip in slips(line)
        if not re.compile(_PATTERN).match(line, slip.start)
    ]
    if not found:
        return []
    places = [(number, slip.start) for number, slip in found]
    comments = layout("\n".join(lines), places).comments
    return [each for each, place in zip(found, places, strict=True) if place in comments]


def _lines(text: str) -> list[str]:
    text = text.removeprefix(BYTE_ORDER_MARK)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def _by_line(suppressions: Sequence[Suppression]) -> Callable[[Finding], bool]:
    """Return what tells whether any of the suppressions takes a finding."""
    everywhere = [item for item in suppressions if item.lines is None]
    # The lines of two suppressions are the same, or none is in both.
    at_start: dict[int, list[Suppression]] = {}
    for item in suppressions:
        if item.lines:
            at_start.setdefault(item.lines.start, []).append(item)
    starts = sorted(at_start)

    def suppressed(finding: Finding) -> bool:
        line = finding.span.line if finding.span else 0
        index = bisect_right(starts, line) - 1
        here = at_start[starts[index]] if index >= 0 else []
        nearby = [item for item in here if item.lines and line in item.lines]
        # All are asked: each that takes it shall know that it is of use.
        return bool([item for item in (*everywhere, *nearby) if item.takes(finding)])

    return suppressed


def _suppression(
    match: re.Match[str], number: int, end: int, told: Layout, file: str
) -> Suppression:
    def span(first: int, last: int) -> Span:
        return Span(file, number + 1, first + 1, number + 1, last + 1)

    whole_file = match["scope"] == "-file"
    codes = tuple(
        (code[0], span(match.start("codes") + code.start(), match.start("codes") + code.end()))
        for code in re.finditer(r"[^\s,]+", match["codes"] or "")
    )
    problem = slip = None
    if match["scope"] and not whole_file:
        problem = f"there is no `ignore{match['scope']}`, only `ignore` and `ignore-file`"
    elif not codes:
        from bai.linter.suppressions.directive_errors import slip_at

        problem = f"`ignore{match['scope'] or ''}` must name the codes that it is about"
        slip = slip_at(match.string, match.start())
    elif whole_file and told.contents and told.contents[0][0] <= number:
        problem = "`ignore-file` must stand above the first line with content"
    run = told.run_at(number)
    lines = range(run[0] + 1, run[1] + 2) if run else range(0)
    place = span(match.start(), end)
    return Suppression(place, codes, None if whole_file else lines, problem, slip)


def _complaints(
    suppression: Suppression,
    lines: Sequence[str],
    known: Collection[str],
    unchecked: Collection[str],
) -> Iterator[Finding]:
    if suppression.problem:
        yield _malformed(suppression, suppression.problem, known)
        return
    unused = []
    for code, span in suppression.codes:
        if not re.fullmatch("BAI[0-9]+", code) or not any(k.startswith(code) for k in known):
            yield make_finding(UNKNOWN, *_unknown(code, span, known))
        elif code not in suppression.used and not _may_match(code, unchecked):
            unused.append((code, span))
    if not unused:
        return
    names = " or ".join(code for code, _ in unused)
    kept = [code for code, _ in suppression.codes if code not in {code for code, _ in unused}]
    where = "in this file" if suppression.lines is None else "here"
    yield make_finding(
        UNUSED,
        f"no finding {names} {where} to ignore",
        unused[0][1] if len(unused) == 1 and kept else suppression.span,
        f"remove {names}" if kept else "remove the comment",
        Fix.replace(_list_span(suppression), ", ".join(kept))
        if kept
        else Fix.replace(_comment_span(suppression, lines), ""),
    )


def _malformed(suppression: Suppression, problem: str, known: Collection[str]) -> Finding:
    span, slip = suppression.span, suppression.slip
    if slip is None:
        return make_finding(MALFORMED, problem, span, _WRITE)
    from bai.linter.suppressions.directive_errors import fix_of

    span = Span(span.file, span.line, slip.start + 1, span.line, slip.end + 1)
    hint, fix = f"write {slip.meant}", fix_of(slip, span, known)
    return make_finding(MALFORMED, problem, span, hint, fix)


def _in_blocks(
    suppressions: Sequence[Suppression], findings: Sequence[Finding], file: str
) -> Iterator[Finding]:
    """Iterate over what to say of suppressions in block scalars that findings are about."""
    blocks = {each.lines.start: each.lines for each in suppressions if each.lines}
    starts = sorted(blocks)
    codes: dict[int, set[str]] = {start: set() for start in starts}
    for finding in findings if blocks else ():
        line = finding.span.line if finding.span and finding.span.file == file else 0
        start = starts[max(bisect_right(starts, line) - 1, 0)]
        if line in blocks[start]:
            codes[start].add(finding.code)
    for each in suppressions:
        start = each.lines.start if each.lines else 0
        meant = tuple(code for code, _ in each.codes if code != "BAI")
        if any(code.startswith(meant) for code in codes.get(start, ())):
            message = "this comment is a part of the text, and suppresses nothing"
            hint = f"write it on line {start}, behind the | or > that begins the text"
            yield make_finding(MALFORMED, message, each.span, hint)


def _may_match(code: str, unchecked: Collection[str]) -> bool:
    return any(other.startswith(code) or code.startswith(other) for other in unchecked)


def _unknown(code: str, span: Span, known: Collection[str]) -> tuple[str, Span, str]:
    meant = code.upper()
    hint = f"write {meant}" if meant in known else "`bai rules` lists the codes"
    return f"there is no code {code}", span, hint


def _list_span(suppression: Suppression) -> Span:
    first, last = suppression.codes[0][1], suppression.codes[-1][1]
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)


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
