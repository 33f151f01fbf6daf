"""Quick fixes: the changes that findings carry or suggest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bai.lsp.diagnostics import range_of
from bai.lsp.text import Range, split_lines
from bai.specs.findings import Finding
from bai.specs.names import nearest

_DID_YOU_MEAN = re.compile(r"did you mean ([^?]+)\?")
_CHOICE = re.compile(r", | or ")
_WORD = re.compile(r"[\w-]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of what stands in a range."""

    range: Range
    text: str


@dataclass(frozen=True, slots=True)
class Action:
    """A change that removes the cause of a finding."""

    title: str
    edits: Sequence[Edit]
    finding: Finding
    is_safe: bool
    """Whether it could be made unasked."""


def actions(found: Sequence[Finding], text: str, path: Path, selection: Range) -> Iterator[Action]:
    """Iterate over the quick fixes for the findings that a selection touches.

    Args:
        found: the findings of the file.
        text: what they were found in.
        path: of the file.
        selection: a cursor, or a range of text.
    """
    lines = split_lines(text)
    for finding in found:
        where = range_of(finding.span, text, path)
        if where.end < selection.start or selection.end < where.start:
            continue
        if finding.fix:
            edits = [Edit(range_of(each.span, text, path), each.text) for each in finding.fix.edits]
            meant = _DID_YOU_MEAN.fullmatch(finding.hint or "")
            title = f"Fix {finding.code}: {finding.hint or finding.message}"
            title = f"Change to {meant[1]}" if meant else title
            yield Action(title, edits, finding, is_safe=True)
        elif hint := _DID_YOU_MEAN.search(finding.hint or ""):
            for name in _CHOICE.split(hint[1]):
                if edit := _renaming(lines, where, name):
                    yield Action(f"Change to {name}", [edit], finding, is_safe=False)


def _renaming(lines: Sequence[str], where: Range, name: str) -> Edit | None:
    """Return the edit that writes a name in place of the one in a range that is like it.

    The name may be all that stands there, or a part of it: one of a reference, for example.
    """
    if where.start.line != where.end.line or where.start.line >= len(lines):
        return None
    start = where.start.column
    written = lines[where.start.line][start : where.end.column]
    if written[:1] in ("'", '"') and written[:1] == written[-1:] and len(written) > 1:
        start, written = start + 1, written[1:-1]
    pieces = [(0, written), *((word.start(), word[0]) for word in _WORD.finditer(written))]
    for offset, piece in pieces:
        if piece != name and nearest(piece, [name]):
            first = start + offset
            return Edit(Range.on_line(where.start.line, first, first + len(piece)), name)
    return None
