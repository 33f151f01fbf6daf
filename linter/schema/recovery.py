"""A Batch AI file with its misspelt and misplaced keys where they are meant to be.

So that rules, and the schema, see what stands behind them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from bai.compiler.batchai.other_keys import RENAMED
from bai.compiler.batchai.schema_kinds import SCHEMA_KINDS
from bai.linter.resource_view import ResourceView
from bai.linter.schema.keys import meant_path
from bai.schemas.errors import SchemaError
from bai.specs.document import Document
from bai.specs.findings import Path, Span


class Move(NamedTuple):
    """A value that got another place."""

    source: Path
    target: Path


class MendedPlaces:
    """The places of a file whose values were moved."""

    def __init__(self, document: Document, moves: Sequence[Move] = ()) -> None:
        """Say what was moved.

        Args:
            document: the file as it is.
            moves: in the order in which they were made.
        """
        self._document = document
        self._moves = moves

    def origin(self, path: Path) -> Path:
        """Return where the value stands in the file that is now at `path`."""
        for source, target in reversed(self._moves):
            if path[: len(target)] == target:
                path = (*source, *path[len(target) :])
        return path

    def span(self, path: Path) -> Span:
        """Return the span of the value at `path`, or of the nearest part above it."""
        return self._document.span(self.origin(path))

    def key_span(self, path: Path) -> Span:
        """Return the span of the key that leads to `path`, or of the nearest value above."""
        return self._document.key_span(self.origin(path))

    def moved(self, moves: Sequence[Move]) -> MendedPlaces:
        """Return the places after more moves."""
        return MendedPlaces(self._document, (*self._moves, *moves))


def mended(
    resource: ResourceView, places: MendedPlaces, unknown: Iterable[SchemaError]
) -> tuple[ResourceView, MendedPlaces]:
    """Return a file with its unknown keys where they are meant to stand, as far as that is clear.

    The given one stays as it is. If nothing is clear, that very one is returned.

    Args:
        resource: what the file says.
        places: where it says it.
        unknown: all errors that say that a key is unknown.
    """
    kind = SCHEMA_KINDS[resource.kind]
    wire = resource.wire
    moves: list[Move] = []
    for error in unknown:
        name = str(error.path[-1])
        # The value of such a one was of another type.
        target = None if name in RENAMED else meant_path(kind, error, resource)
        if target is None:
            continue
        if not moves:
            wire = _copy(wire)
        if _move(wire, error.path, target):
            moves.append(Move(error.path, target))
    if not moves:
        return resource, places
    places = places.moved(moves)
    return ResourceView(resource.kind, wire, places=places, source=resource.source), places


def _move(wire: Any, source: Path, target: Path) -> bool:
    """Move a value; return whether that was possible."""
    from_ = _holder(wire, source)
    if from_ is None or source[-1] not in from_ or target[: len(source)] == source:
        return False
    to = _holder(wire, target, make=True)
    if to is None or target[-1] in to:
        return False
    to[target[-1]] = from_.pop(source[-1])
    return True


def _holder(value: Any, path: Path, *, make: bool = False) -> dict[Any, Any] | None:
    """Return the mapping with the last key of a path; None if something else is there."""
    for step in path[:-1]:
        if isinstance(value, dict):
            if make and isinstance(step, str):
                value.setdefault(step, {})
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value if isinstance(value, dict) else None


def _copy(value: Any) -> Any:
    """Return a copy whose mappings can be changed one by one; scalars are shared."""
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, list) else value
