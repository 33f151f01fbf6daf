"""Error recovery: a Batch AI file with its misspelt and misplaced keys where they are meant to be.

So rules and the schema can check the values of such keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bai.compiler.batchai.other_keys import RENAMED
from bai.linter.resource_view import ResourceView
from bai.linter.schema.keys import SchemaKeys
from bai.schemas.errors import SchemaError
from bai.schemas.validators import SchemaKind, validate
from bai.specs.document import Document, copied, value_at
from bai.specs.findings import Path, Span
from bai.specs.validation.unknown_keys import MAX_ROUNDS


class Move(NamedTuple):
    """A value that was moved to another place."""

    source: Path
    target: Path


class MovedPlaces:
    """The places of a file whose values were moved."""

    def __init__(self, document: Document, moves: Sequence[Move] = ()) -> None:
        """Hold the moves.

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


class Attempt(NamedTuple):
    """A version of a file, with its schema errors."""

    resource: ResourceView
    places: MovedPlaces
    keys: SchemaKeys
    errors: tuple[SchemaError, ...]

    @property
    def unknown(self) -> list[SchemaError]:
        """The errors that say that a key is unknown."""
        return [error for error in self.errors if error.keyword == "additionalProperties"]


def attempts(kind: SchemaKind, resource: ResourceView, document: Document) -> Iterator[Attempt]:
    """Yield a file as it is, and then with its unknown keys where they are meant to stand.

    The value of such a key may have unknown keys as well, so there may be several attempts; the
    last one has the remaining errors.

    Args:
        kind: the kind of the file.
        resource: its content, which is not changed.
        document: its places.
    """
    all_moves: list[Move] = []
    places = MovedPlaces(document)
    for _ in range(MAX_ROUNDS + 1):
        errors = validate(kind, resource.wire, "source")
        attempt = Attempt(resource, places, SchemaKeys(kind, resource), errors)
        yield attempt
        wire, moves = _moved(attempt)
        if not moves:
            return
        all_moves += moves
        places = MovedPlaces(document, tuple(all_moves))
        resource = ResourceView(resource.kind, wire, places=places, source=resource.source)


def _moved(attempt: Attempt) -> tuple[Any, list[Move]]:
    """Return the file with its unknown keys where they are meant to stand, and the moves."""
    wire, moves = copied(attempt.resource.wire), []
    # What belongs below a misspelt key comes after it.
    for error in sorted(attempt.unknown, key=lambda each: not attempt.keys.meaning(each).only):
        # The value of such a one was of another type.
        target = None if error.path[-1] in RENAMED else attempt.keys.target(error)
        if target is not None and _move(wire, error.path, target):
            moves.append(Move(error.path, target))
    return wire, moves


def _move(wire: Any, source: Path, target: Path) -> bool:
    """Move a value; return whether that was possible."""
    from_ = value_at(wire, source[:-1])
    if not isinstance(from_, dict) or source[-1] not in from_ or target[: len(source)] == source:
        return False
    to = _made_holder(wire, target)
    if to is None or target[-1] in to:
        return False
    to[target[-1]] = from_.pop(source[-1])
    return True


def _made_holder(value: Any, path: Path) -> dict[Any, Any] | None:
    """Return the mapping for the last key of a path; None if something else is there."""
    for step in path[:-1]:
        if isinstance(value, dict):
            value = value.setdefault(step, {}) if isinstance(step, str) else None
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value if isinstance(value, dict) else None
