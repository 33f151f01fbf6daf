"""The keys and texts of a file, and their places, also while it is being typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property

from bai.lsp.text import Position, Range
from bai.specs.findings import Path


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a mapping."""

    path: Path
    """The key's own name is the last step."""
    range: Range


@dataclass(frozen=True, slots=True)
class Scalar:
    """A piece of text on one line: a scalar, or a line of one."""

    path: Path
    range: Range
    text: str
    """As it is written, without the quotes around it."""


class Spot(Enum):
    """What can be written at the end of a text."""

    NOTHING = auto()
    """A comment, or behind something that is complete."""
    KEY = auto()
    """A key of the mapping at the place's path."""
    VALUE = auto()
    """The value at the place's path."""
    OPEN = auto()
    """A key of the mapping at the path, or the value there: it is not decided yet."""
    TEXT = auto()
    """More of the string at the path."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text ends."""

    spot: Spot
    path: Path
    start: Position
    """Where what is being written begins."""
    quote: str = ""
    """The quotation mark in front of it."""
    flow: bool = False
    """Whether it is inside of brackets."""


@dataclass
class Outline:
    """One document of a file."""

    first_line: int
    """Where it begins; the next one begins where it ends."""
    place: Place
    """Where its text ends."""
    keys: list[Key] = field(default_factory=list)
    scalars: list[Scalar] = field(default_factory=list)
    is_json: bool = False
    """Whether it is written in brackets, with quotes around its keys."""
    file: Sequence[Outline] = field(default=(), repr=False, compare=False)
    """All documents of its file, itself included."""

    def key_at(self, position: Position) -> Key | None:
        """Return the key that a cursor touches."""
        return next((key for key in self.keys if position in key.range), None)

    def scalar_at(self, position: Position) -> Scalar | None:
        """Return the text that a cursor touches."""
        return next((each for each in self.scalars if position in each.range), None)

    def keys_of(self, path: Path) -> dict[str, Key]:
        """Return name -> key of the mapping at a path, the first of each name."""
        found: dict[str, Key] = {}
        for key in self.keys:
            if len(key.path) == len(path) + 1 and key.path[:-1] == path:
                found.setdefault(str(key.path[-1]), key)
        return found

    def text_at(self, path: Path) -> str | None:
        """Return the text of the scalar at a path; None for mappings and sequences."""
        return self._texts.get(path)

    def below(self, path: Path) -> Iterator[Scalar]:
        """Iterate over the scalars anywhere below a path."""
        return (each for each in self.scalars if each.path[: len(path)] == path)

    @cached_property
    def _texts(self) -> dict[Path, str]:
        found: dict[Path, str] = {}
        for scalar in self.scalars:
            found.setdefault(scalar.path, scalar.text)
        return found
