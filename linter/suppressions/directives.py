"""Reading the comments that suppress findings, `# bai: ignore[BAI203]`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from bai.specs.findings import Finding, Span
from bai.specs.source.lines import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from bai.linter.suppressions.comments import Layout
    from bai.linter.suppressions.misspelt import MisspeltDirective

_PATTERN: Final = r"#[ \t]*bai:[ \t]*ignore(?!\w)(?P<scope>-\w*)?[ \t]*(?:\[(?P<codes>[^\]#]*)\])?"


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
    misspelt: MisspeltDirective | None = None
    """What it is meant to be, if that is known."""
    used: set[str] = field(default_factory=set)
    """The codes that suppressed something."""

    def takes(self, finding: Finding) -> bool:
        """Return whether this suppresses a finding on its lines, and record that it did."""
        if self.problem:
            return False
        # `BAI` alone would hide all future codes.
        meant = (code for code, _ in self.codes if code != "BAI")
        matching = {code for code in meant if finding.code.startswith(code)}
        self.used |= matching
        return bool(matching)


class Directives(NamedTuple):
    """The comments of a file that suppress findings, or are meant to, in their order."""

    suppressions: list[Suppression]
    in_blocks: list[Suppression]
    """What looks like suppressions in the text of block scalars."""
    misspelt: list[tuple[int, MisspeltDirective]]
    """The comments that are nearly suppressions, with the numbers of their lines from 0."""


def directives(text: str, file: str) -> Directives:
    """Return the directives of a file without syntax errors."""
    lines = split_lines(text)
    nearly = [(n, line) for n, line in enumerate(lines) if "#" in line and "bai" in line.lower()]
    if not nearly:
        return Directives([], [], [])
    from bai.linter.suppressions.comments import layout_of
    from bai.linter.suppressions.misspelt import find_misspelt

    pattern = re.compile(_PATTERN)
    matches = [(number, match) for number, line in nearly for match in pattern.finditer(line)]
    misspelt = [
        (number, found)
        for number, line in nearly
        for found in find_misspelt(line)
        if not pattern.match(line, found.start)
    ]
    if not matches and not misspelt:
        return Directives([], [], [])
    places = [(number, match.start()) for number, match in matches]
    others = [(number, found.start) for number, found in misspelt]
    layout = layout_of("\n".join(lines), sorted([*places, *others]))
    suppressions: list[Suppression] = []
    in_blocks: list[Suppression] = []
    for index, (number, match) in enumerate(matches):
        items = suppressions if places[index] in layout.comments else in_blocks
        if items is in_blocks and places[index] not in layout.in_blocks:
            continue
        end = len(lines[number].rstrip())
        if index + 1 < len(matches) and matches[index + 1][0] == number:
            end = matches[index + 1][1].start()
        items.append(_suppression(match, number, end, layout, file))
    misspelt = [each for each, at in zip(misspelt, others, strict=True) if at in layout.comments]
    return Directives(suppressions, in_blocks, misspelt)


def split_lines(text: str) -> list[str]:
    """Return the lines of a text as comments are counted in them."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def _suppression(
    match: re.Match[str], number: int, end: int, layout: Layout, file: str
) -> Suppression:
    def span(first: int, last: int) -> Span:
        return Span(file, number + 1, first + 1, number + 1, last + 1)

    whole_file = match["scope"] == "-file"
    codes = tuple(
        (code[0], span(match.start("codes") + code.start(), match.start("codes") + code.end()))
        for code in re.finditer(r"[^\s,]+", match["codes"] or "")
    )
    problem = misspelt = None
    if match["scope"] and not whole_file:
        problem = f"there is no `ignore{match['scope']}`, only `ignore` and `ignore-file`"
    elif not codes:
        from bai.linter.suppressions.misspelt import misspelt_directive_at

        problem = f"`ignore{match['scope'] or ''}` must name the codes that it is about"
        misspelt = misspelt_directive_at(match.string, match.start())
    elif whole_file and layout.contents and layout.contents[0][0] <= number:
        problem = "`ignore-file` must stand above the first line with content"
    run = layout.run_at(number)
    lines = range(run[0] + 1, run[1] + 2) if run else range(0)
    place = span(match.start(), end)
    return Suppression(place, codes, None if whole_file else lines, problem, misspelt)
