"""Keys with a wrong indent: one cause, for which the models report errors in many places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from pydantic import BaseModel

from bai.specs.document import Document, error_at
from bai.specs.findings import Finding, Path
from bai.specs.models.shape import Shape, annotation_at, fields, homes, mappings, shape
from bai.specs.names import nearest
from bai.specs.syntax.json_events import looks_like_json
from bai.specs.validation.spec_keys import BATCH_AI_KEYS, SpecKeys
from bai.specs.validation.unknown_keys import LIKELY

_MOST_NAMED: Final = 3
"""Keys that a hint names."""
_MOST_READ: Final = 20
"""Keys of a mapping that are read to see what it is."""


def wrong_indents(document: Document, keys: SpecKeys) -> Iterator[tuple[Finding, Sequence[Path]]]:
    """Yield a finding, and the places where all else is wrong for this reason only.

    A place is where a key stands, or where it should stand.

    Args:
        document: a spec.
        keys: the meanings of its unknown keys.
    """
    if looks_like_json(document.text):
        # There braces say what belongs where.
        return
    known: dict[Path, tuple[dict[str, Any], Shape]] = {}
    for path, data, here in mappings(document.data, keys.root):
        known[path] = data, here
        outer, outside = known[path[:-1]]
        if path and outside.model:
            moved = (key for key in data if key in fields(outside.model) and key not in outer)
            yield from _too_deep(path, data, here, moved, document, keys)
        if here.model and None in data.values():
            yield from _not_below(path, data, here.model, document, keys)


def _too_deep(
    path: Path,
    data: dict[str, Any],
    here: Shape,
    moved: Iterator[str],
    document: Document,
    keys: SpecKeys,
) -> Iterator[tuple[Finding, Sequence[Path]]]:
    """Look for keys inside of a neighbour, jobs among the clusters for one.

    Args:
        path: of the mapping.
        data: the mapping.
        here: what it should be.
        moved: its keys that belong in the mapping around it, which has none of them.
        document: where it is.
        keys: the meanings of the document's unknown keys.
    """
    for key in moved:
        at = (*path, key)
        if _is_on_line_of(path, at, document):
            continue
        if here.model:
            if key in fields(here.model):
                continue
            code, message = "BAI201", f"unknown key {key!r}"
            hint = f"it belongs beside {path[-1]}: give it the same indent"
        else:
            if _is_item(at, data[key], here, keys):
                continue
            code, message = "BAI203", f"{key}: stands in {path[-1]}, as it is indented too deep"
            hint = f"give it the same indent as {path[-1]}"
        yield error_at(code, message, document, at, hint, key=True), [at, (*path[:-1], key)]


def _is_item(path: Path, value: Any, here: Shape, keys: SpecKeys) -> bool:
    """Return whether a value seems to be meant for a mapping in which any name can stand.

    Args:
        path: of the value.
        value: what stands there.
        here: what the mapping should be.
        keys: the meanings of the document's unknown keys.
    """
    if not isinstance(value, dict) or not value:
        return True
    if (item := shape(here.values).model) is None:
        return False
    read = list(islice(value, _MOST_READ))
    known = [key for key in read if key in fields(item) or keys.meaning((*path, key)).only]
    return len(known) * 2 >= len(read)


def _not_below(
    path: Path, data: dict[str, Any], model: type[BaseModel], document: Document, keys: SpecKeys
) -> Iterator[tuple[Finding, Sequence[Path]]]:
    """Look for keys that stand beside, and behind, the empty one which they belong below."""
    holder, inside, beside = "", Shape(None), []
    for key, value in (*data.items(), ("", None)):
        if holder and key and _belongs((*path, key), inside, model, keys):
            beside.append(key)
            continue
        if beside and not _is_on_line_of((*path, holder), (*path, beside[0]), document):
            names = ", ".join(beside[:_MOST_NAMED]) + (", ..." if len(beside) > _MOST_NAMED else "")
            message = f"{holder}: what belongs to it is not indented below it"
            hint = f"indent {names} deeper than {holder}"
            at = (*path, beside[0])
            found = error_at("BAI203", message, document, at, hint, key=True)
            yield found, [(*path, each) for each in (holder, *beside)]
        is_open = value is None and key in fields(model)
        holder, beside = (key, []) if is_open else ("", [])
        inside = shape(annotation_at((*path, key), keys.root)) if is_open else Shape(None)


def _belongs(path: Path, inside: Shape, model: type[BaseModel], keys: SpecKeys) -> bool:
    """Return whether a key, unknown where it stands, is one of a mapping that is empty."""
    key = str(path[-1])
    if key in fields(model):
        return False
    if inside.model:
        return key in fields(inside.model)
    # Any name can stand there, so this one must mean nothing else.
    return inside.values is not None and not homes(key, keys.root) and not _is_meant(path, keys)


def _is_meant(path: Path, keys: SpecKeys) -> bool:
    """Return whether an unknown key is surely meant as another one: MODEL is not so for code."""
    key, meant = str(path[-1]), keys.meaning(path).only
    if meant is None or key in BATCH_AI_KEYS or meant.startswith(key):
        return meant is not None
    return nearest(key, (meant,), LIKELY) is not None


def _is_on_line_of(first: Path, second: Path, document: Document) -> bool:
    """Return whether two keys share a line, as they do in braces: no indent can part them."""
    return document.key_span(first).line == document.key_span(second).line
