"""What a rule finds, and its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bai.specs.findings import Fix, Path


class Key(NamedTuple):
    """The key at the end of a path, not its value."""

    path: Path


class Part(NamedTuple):
    """A part of the text at a path, found by its spelling."""

    path: Path
    text: str
    replacement: str | None = None
    """A fix: this in place of the part; None for no fix."""


class Range(NamedTuple):
    """The characters from `start` up to `end` of the text at a path."""

    path: Path
    start: int
    end: int


Place = Path | Key | Part | Range
"""What a violation is about. A path alone stands for the whole value there."""


class Violation(NamedTuple):
    """Something that a rule finds in the resource that it checks."""

    place: Place
    message: str
    hint: str | None = None
    edits: Sequence[tuple[int, int, str]] = ()
    """A fix: the texts to put in place of ranges of the text at the place."""
    fix: Fix | None = None
    """Any other fix."""
