"""Apply fixes to a text, but only those that leave all other data unchanged."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from bai.specs.document import Document
from bai.specs.findings import Edit, Finding, Fix, Path, Span
from bai.specs.source.lines import Lines
from bai.specs.syntax.reader import read

MOST_ROUNDS: Final = 10
"""How often fixes are made on top of fixes."""


@dataclass(frozen=True, slots=True)
class Change:
    """An edit as offsets: `text` in place of `[start, end)`."""

    start: int
    end: int
    text: str

    def overlaps(self, other: Change) -> bool:
        """Return whether the changes exclude each other, because their order would matter."""
        return self.start == other.start or (self.start < other.end and other.start < self.end)


def apply_fixes(text: str, fixes: Iterable[Fix]) -> tuple[str, int]:
    """Apply fixes to a text.

    Of two overlapping fixes the first is applied; the other waits until the new text was checked.
    A fix is skipped if its place does not exist, if the file could no longer be read, or if data
    outside of its edits would change. New lines get the line ends of the file.

    Args:
        text: the file as it is, with its line ends and byte order mark.
        fixes: the fixes; all of their spans are in this file.

    Returns:
        The new text, and the number of applied fixes.
    """
    lines = Lines(text)
    chosen: list[list[Change]] = []
    taken: list[Change] = []
    for fix in fixes:
        changes = _changes(fix, lines)
        if changes and not any(_is_taken(change, taken) for change in changes):
            chosen.append(changes)
            for change in changes:
                insort(taken, change, key=_start)
    if chosen and not _harmless(text, chosen):
        chosen = _harmless_ones(text, chosen)
    return _edited(text, chosen), len(chosen)


def fix_all(
    text: str, findings: Sequence[Finding], check: Callable[[str], Sequence[Finding]]
) -> tuple[str, int, Sequence[Finding]]:
    """Apply all fixes of a file, and those that become possible afterwards.

    Args:
        text: the file.
        findings: the findings about it.
        check: returns the findings about a new text of it.

    Returns:
        The new text, the number of applied fixes, and the remaining findings.
    """
    total = 0
    for _ in range(MOST_ROUNDS):
        text, count = apply_fixes(text, [f.fix for f in findings if f.fix])
        if not count:
            break
        total += count
        findings = check(text)
    return text, total, findings


def diff(text: str, new: str, file: str) -> str:
    """Return the unified difference of two texts of a file, empty if there is none."""
    from difflib import unified_diff

    parts = []
    for line in unified_diff(_with_ends(text), _with_ends(new), file, file):
        parts.append(line)
        if not line.endswith("\n"):
            parts.append("\n\\ No newline at end of file\n")
    return "".join(parts)


def _with_ends(text: str) -> list[str]:
    # Not `splitlines`: a diff knows only line feeds.
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _changes(fix: Fix, lines: Lines) -> list[Change] | None:
    """Return a fix's edits in the order of the text; None if they are not valid for it."""
    try:
        changes = [_change(edit, lines) for edit in fix.edits]
    except IndexError:
        return None
    changes.sort(key=lambda change: (change.start, change.end))
    backwards = any(change.start > change.end for change in changes)
    if backwards or any(a.overlaps(b) for a, b in pairwise(changes)):
        return None
    return changes


def _change(edit: Edit, lines: Lines) -> Change:
    span, text = edit.span, edit.text
    if "\n" in text and "\r\n" in lines.text:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    start = lines.offset(span.line, span.column)
    return Change(start, lines.offset(span.end_line, span.end_column), text)


def _start(change: Change) -> int:
    return change.start


def _is_taken(change: Change, taken: Sequence[Change]) -> bool:
    """Return whether a change overlaps one of others, which do not overlap each other."""
    at = bisect_left(taken, change.start, key=_start)
    return any(change.overlaps(other) for other in taken[max(at - 1, 0) : at + 1])


def _edited(text: str, fixes: Iterable[Sequence[Change]]) -> str:
    parts, at = [], 0
    for change in _in_order(fixes):
        parts += [text[at : change.start], change.text]
        at = change.end
    return "".join(parts) + text[at:]


def _in_order(fixes: Iterable[Sequence[Change]]) -> list[Change]:
    return sorted((change for changes in fixes for change in changes), key=_start)


def _harmless_ones(text: str, fixes: Sequence[list[Change]]) -> list[list[Change]]:
    kept: list[list[Change]] = []
    for changes in fixes:
        if _harmless(text, [*kept, changes]):
            kept.append(changes)
    return kept


def _harmless(text: str, fixes: Sequence[Sequence[Change]]) -> bool:
    """Return whether the new text can be read as well as the old, with the same data elsewhere."""
    old, errors = read(text, "")
    new_text = _edited(text, fixes)
    new, new_errors = read(new_text, "")
    if len(new_errors) > len(errors):
        return False
    if errors and len(old) != len(new):
        # Without a syntax error, what stands behind it can be read as well.
        return True
    moves = _Moves(_in_order(fixes))
    found: dict[tuple[int, int], list[_Leaf]] = {}
    for leaf in _leaves(new, Lines(new_text)):
        found.setdefault(leaf.place, []).append(leaf)
    expected = set()
    for leaf in _leaves(old, Lines(text)):
        if moves.touch(*leaf.place):
            continue
        place = moves.moved(*leaf.place)
        expected.add(place)
        renamed = [moves.touch(*step) if step else True for step in leaf.steps]
        if not any(leaf.same_as(other, renamed) for other in found.get(place, ())):
            return False
    return all(place in expected or moves.made(*place) for place in found)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A scalar, an empty container or a key, and where it stands (as offsets)."""

    place: tuple[int, int]
    data: tuple[type, Any]
    names: Path
    """The keys and indexes that lead to it."""
    steps: tuple[tuple[int, int] | None, ...]
    """Where these keys stand; None for indexes, which may change."""

    def same_as(self, new: _Leaf, renamed: Sequence[bool]) -> bool:
        """Return whether the new leaf is this one; where a key is renamed it may differ."""
        return (
            self.data == new.data
            and len(self.names) == len(new.names)
            and all(
                free or name == other
                for name, other, free in zip(self.names, new.names, renamed, strict=True)
            )
        )


def _leaves(documents: Iterable[Document], lines: Lines) -> Iterator[_Leaf]:
    def place(span: Span) -> tuple[int, int]:
        return lines.offset(span.line, span.column), lines.offset(span.end_line, span.end_column)

    for document in documents:
        keys = {path: place(span) for path, span in document.keys.items()}

        def leaf(at: tuple[int, int], data: Any, path: Path, keys: dict[Path, Any] = keys) -> _Leaf:
            steps = tuple(keys.get(path[:length]) for length in range(1, len(path) + 1))
            return _Leaf(at, (type(data), data), path, steps)

        for path, at in keys.items():
            yield leaf(at, path[-1], path[:-1])
        for path, span in document.values.items():
            value = _value(document.data, path)
            if isinstance(value, str) or (not value and value is not None):
                yield leaf(place(span), value, path)


def _value(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


class _Moves:
    """Maps places of a text to the changed text; changes are in order and do not overlap."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self._changes = changes
        self._ends = [change.end for change in changes]
        self._shifts = [0]
        self._made: list[tuple[int, int]] = []
        for change in changes:
            start = change.start + self._shifts[-1]
            self._made.append((start, start + len(change.text)))
            self._shifts.append(self._made[-1][1] - change.end)

    def touch(self, start: int, end: int) -> bool:
        """Return whether a change touches a place; insertions also touch what is next to them."""
        for change in self._changes[bisect_left(self._ends, start) :]:
            if change.start > end:
                break
            if change.start == change.end or (change.start < end and start < change.end):
                return True
        return False

    def moved(self, start: int, end: int) -> tuple[int, int]:
        """Return the place of unchanged text in the new text."""
        shift = self._shifts[bisect_right(self._ends, start)]
        return start + shift, end + shift

    def made(self, start: int, end: int) -> bool:
        """Return whether a place of the new text is new, or next to something new."""
        at = bisect_left(self._made, start, key=lambda made: made[1])
        return at < len(self._made) and self._made[at][0] <= end
