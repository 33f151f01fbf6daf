"""Values that hold their place in an imported file.

A spec made of such values has its own `Document`, with the places of the imported files. So
loading and compiling can check an import and report errors in the user's files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bai.specs.document import Document
from bai.specs.findings import Path, Span
from bai.specs.source.plain_scalar import Plain


@dataclass(frozen=True, slots=True)
class Origin:
    """A place in an imported file."""

    document: Document
    path: Path


class PlacedText(str):
    """A string with its origin."""

    __slots__ = ("origin",)
    origin: Origin


class PlacedInt(int):
    """An integer with its origin."""

    origin: Origin


def placed(value: Any, origin: Origin | None) -> Any:
    """Return a string or an integer with this origin, and anything else as it is."""
    if origin is None or isinstance(value, bool) or not isinstance(value, (str, int)):
        return value
    made = PlacedText(value) if isinstance(value, str) else PlacedInt(value)
    made.origin = origin
    return made


def origin_of(value: Any) -> Origin | None:
    """Return the place of a value; for a mapping or a list, that of the nearest common parent.

    None if it has no place, or if its values come from several files.
    """
    if isinstance(value, (PlacedText, PlacedInt)):
        return value.origin
    found: Origin | None = None
    for inner in _inner(value):
        if (origin := origin_of(inner)) is None:
            continue
        if found and found.document is not origin.document:
            return None
        above = origin.path[:-1] if isinstance(inner, (str, int)) else origin.path
        found = Origin(origin.document, _common(found.path, above) if found else above)
    return found


def plain(value: Any) -> Any:
    """Return data without origins."""
    match value:
        case dict():
            return {str(key): plain(inner) for key, inner in value.items()}
        case list():
            return [plain(inner) for inner in value]
        case bool() | Plain():
            return value
        case str():
            return str(value)
        case int():
            return int(value)
    return value


def spec_document(spec: dict[str, Any], files: Document) -> Document:
    """Return a spec of placed values as a document.

    Args:
        spec: the data of the spec.
        files: the imported file that stands for all that has no origin.
    """
    values: dict[Path, Span] = {(): files.span(())}
    keys: dict[Path, Span] = {}
    for path, value in walk(spec):
        if (origin := origin_of(value)) is not None:
            values[path] = origin.document.span(origin.path)
            keys[path] = origin.document.key_span(origin.path)
        if path and isinstance(path[-1], PlacedText):
            key = path[-1].origin
            keys[path] = key.document.span(key.path)
    # Without a text, no part of a value is looked for in the wrong file.
    return Document(files.file, "", plain(spec), values, keys)


def _inner(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def walk(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Iterate over (path, value) of data and of all that is in it."""
    yield path, value
    if isinstance(value, (dict, list)):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from walk(inner, (*path, step))


def _common(one: Path, other: Path) -> Path:
    length = 0
    while length < min(len(one), len(other)) and one[length] == other[length]:
        length += 1
    return one[:length]
