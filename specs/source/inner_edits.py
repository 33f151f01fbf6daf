"""Changes inside of scalars, in the form in which the scalar is written."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice
from typing import Final

from bai.specs.findings import Edit, Fix, Span
from bai.specs.source.places import Reading, lines_of, reading
from bai.specs.source.source_map import readings

_INDICATORS: Final = frozenset(" \"'?:,[]{}#&*!|>%@`")
"""What no plain scalar begins with."""
_PARAMETER: Final = "${parameters."
"""The beginning of a reference whose value stands elsewhere."""
_LONGEST: Final = 20_000
"""Characters of the source of a scalar; each fix in a longer one would read much text again."""


def inner_fix(
    span: Span,
    text: str,
    value: str,
    changes: Sequence[tuple[int, int, str]],
    substitutes: tuple[str, ...] = (),
) -> Fix | None:
    """Return the fix that changes the characters of a scalar's value.

    Args:
        span: where the scalar stands.
        text: the text of the whole file.
        value: what the scalar is read as; in a spec, `${...}` references in it are expanded.
        changes: for each, the first character of a range, counted from 0, where the range ends
            (where it begins, to insert), and what to write in its place, on one line.
        substitutes: what stands in the value in place of references to parameters.

    Returns:
        The fix; None where a range is no place of its own in the source, or the scalar would not be
        read as it should.
    """
    scalar = reading(text, span, value, substitutes)
    if scalar is None or not scalar.origins:
        return None
    edits = [_edit(scalar, span, text, value, *change) for change in changes]
    sure = tuple(edit for edit in edits if edit is not None)
    return Fix(sure) if len(sure) == len(changes) else None


def _edit(
    scalar: Reading, span: Span, text: str, value: str, start: int, end: int, new: str
) -> Edit | None:
    if not 0 <= start <= end <= len(scalar.origins):
        return None
    known = scalar.origins
    if any(text.startswith(_PARAMETER, known[at][0]) for at in range(start, end)):
        return None
    # Where a line ends is a matter of the style.
    if "\n" in (value[start:end] or value[max(start - 1, 0) : start]):
        return None
    if any(0 < at < len(known) and known[at - 1] == known[at] for at in (start, end)):
        return None  # inside of a reference
    lines = lines_of(text)
    first = lines.offset(span.line, span.column)
    last = lines.offset(span.end_line, span.end_column)
    if last - first > _LONGEST:
        return None
    if start < end:
        begin, stop = known[start][0], known[end - 1][1]
    else:
        begin = stop = known[start - 1][1] if start else known[0][0]
    if "\n" in text[begin:stop]:
        return None
    written = _written(text, first, begin, new)
    if written is None or not _is_read(text, (first, last), scalar, (begin, stop), written, new):
        return None
    line, column = lines.place(begin)
    end_line, end_column = lines.place(stop)
    return Edit(Span(span.file, line, column, end_line, end_column), written)


def _written(text: str, first: int, begin: int, new: str) -> str | None:
    """Return how `new` is written in the scalar that begins at `first`; None if it can't be."""
    match text[first]:
        case '"':
            return json.dumps(new, ensure_ascii=False)[1:-1]
        case "'":
            return new.replace("'", "''")
        case "|" | ">":
            # Spaces that begin a line may be its indentation.
            indented = text[begin : begin + 1] == " " or new.startswith(" ")
            line = text[text.rfind("\n", 0, begin) + 1 : begin]
            return None if indented and not line.strip() else new
    # In plain text only what can't be taken for anything else.
    if (begin == first and new[:1] in _INDICATORS) or new.endswith(" "):
        return None
    return None if any(mark in new for mark in ":#,[]{}") else new


def _is_read(
    text: str,
    place: tuple[int, int],
    scalar: Reading,
    edit: tuple[int, int],
    written: str,
    new: str,
) -> bool:
    """Return whether the scalar, with `written` at a place of it, is read as it was but for that.

    Args:
        text: the text of the whole file.
        place: where in it the scalar begins and ends.
        scalar: how it is read without the edit.
        edit: where the edit begins and ends.
        written: the new text there.
        new: what is to be read there.
    """
    first, last = place
    begin, stop = edit
    edited = text[:begin] + written + text[stop:]
    end = last + len(edited) - len(text)
    head, tail = bisect_left(scalar.starts, begin), bisect_left(scalar.starts, stop)
    expected = scalar.written[:head] + new + scalar.written[tail:]
    # The same one of the possible readings: as a block with the same indentation.
    found = next(islice(readings(edited, first, end), scalar.number, None), None)
    return found is not None and found[0] == expected
