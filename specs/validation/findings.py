"""What is wrong with a spec: one finding for each cause, however many errors it makes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import Any, Final, NamedTuple

from bai.specs.codes import make_finding
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, in_order
from bai.specs.models.kinds import root_of
from bai.specs.models.mounts import Mount, mount_path_errors
from bai.specs.models.shape import fields, mappings, shape
from bai.specs.source.places import line_at
from bai.specs.validation.examples import form_hint
from bai.specs.validation.indents import wrong_indents
from bai.specs.validation.kinds import without_names, wrong_kinds
from bai.specs.validation.messages import finding_of, own_finding
from bai.specs.validation.model_errors import ModelError
from bai.specs.validation.spec_keys import SpecKeys

_MAX_MEANT: Final = 100
"""Unknown keys of a spec that may be misspelt or misplaced."""

_Meant = Mapping[Path, Set[str | int]]
"""Path of a mapping -> the keys that it would have if each key stood where it is meant to."""


def spec_findings(
    errors: Sequence[ModelError], document: Document, keys: SpecKeys
) -> tuple[Finding, ...]:
    """Return what is wrong with a spec, in the order of its text.

    Args:
        errors: what the models refuse in it.
        document: the spec.
        keys: the meanings of its unknown keys.
    """
    kinds = wrong_kinds(document)
    # What is of the wrong kind is reported as that only.
    spans = {finding.span for finding in kinds}
    others = (found for found in _findings(errors, document, keys) if found.span not in spans)
    return in_order((*kinds, *others))


def _findings(
    errors: Sequence[ModelError], document: Document, keys: SpecKeys
) -> Iterator[Finding]:
    explained = set[Path]()
    for finding, path in wrong_aliases(errors, document, keys):
        explained.add(path)
        yield finding
    aliases = frozenset(explained)
    for finding, paths in (*without_names(document), *wrong_indents(document, keys)):
        if not (_is_within(paths[0], aliases) or explained.issuperset(paths)):
            explained.update(paths)
            yield finding
    meant = _meant_keys(errors, keys)
    wrong_sets = list(_wrong_sets(document, explained, meant))
    for each in wrong_sets:
        if not each.is_consequence and not _is_within(each.path, explained):
            yield own_finding(each.code, each.path, each.context, document)
    reported = {(each.path, each.code) for each in wrong_sets}
    for error in errors:
        # A key that is misspelt or misplaced is reported where it stands.
        is_there = error.code == "missing" and error.path[-1] in meant.get(error.path[:-1], ())
        is_repeated = (error.path, error.code) in reported
        if not (is_there or is_repeated or _is_within(error.path, explained)):
            yield finding_of(error, document, keys)


def _is_within(path: Path, explained: Set[Path]) -> bool:
    """Return whether a finding at, or around, a path says already what is wrong there."""
    return any(path[:length] in explained for length in range(1, len(path) + 1))


def _meant_keys(errors: Sequence[ModelError], keys: SpecKeys) -> _Meant:
    found: dict[Path, set[str | int]] = {}
    unknown = (error for error in errors if error.code == "extra_forbidden")
    for error in islice(unknown, _MAX_MEANT):
        for place in keys.places(error.path):
            for depth, key in enumerate(place):
                found.setdefault(place[:depth], set()).add(key)
    return found


class _WrongSet(NamedTuple):
    """Keys of a mapping that don't go together."""

    path: Path
    """The mapping's."""
    code: str
    context: Mapping[str, Any]
    """The rest of the finding."""
    is_consequence: bool
    """Whether there is nothing wrong once another finding is dealt with."""


def _wrong_sets(document: Document, explained: Set[Path], meant: _Meant) -> Iterator[_WrongSet]:
    """Yield the mappings whose keys don't go together.

    The models look for that too, but only in mappings in which all values are right.

    Args:
        document: the spec.
        explained: places about which there is a finding.
        meant: the keys that unknown keys stand for.
    """
    for path, value, here in mappings(document.data, root_of(document.data)):
        keys = [key for key, inner in value.items() if inner is not None]
        if here.model:
            # What only a misspelt or misplaced key, or its indent, makes wrong.
            indented = (key for key in fields(here.model) if (*path, key) in explained)
            corrected = {*keys, *meant.get(path, ()), *indented}
            still = {wrong.type for wrong in here.model.key_errors(corrected)}
            for wrong in here.model.key_errors(keys):
                yield _WrongSet(path, wrong.type, wrong.context or {}, wrong.type not in still)
        elif shape(here.values).model is Mount:
            for wrong in mount_path_errors(keys):
                yield _WrongSet(path, wrong.type, wrong.context or {}, is_consequence=False)


_MAX_NAMED: Final = 3
"""Keys that a message names."""


def wrong_aliases(
    errors: Sequence[ModelError], document: Document, keys: SpecKeys
) -> Iterator[tuple[Finding, Path]]:
    """Yield a finding, and its path, for aliases of what is right where it is written in full.

    What is wrong there as well has its own findings.

    Args:
        errors: what the models refuse in a spec.
        document: the spec.
        keys: the meanings of its unknown keys.
    """
    if not document.aliases:
        return
    behind = defaultdict[Path, list[ModelError]](list)
    in_full = set[tuple[object, ...]]()
    for error in errors:
        if path := _alias_around(error.path, document):
            behind[path].append(error)
        else:
            in_full.add(_place(error, document))
    for path, found in behind.items():
        new = [each for each in found if _place(each, document) not in in_full]
        if new:
            yield _finding(path, new, document, keys), path


def _place(error: ModelError, document: Document) -> tuple[object, ...]:
    """Return what an error has in common with the same one of an alias."""
    missing = error.path[-1] if error.code == "missing" else None
    return document.span(error.path), error.code, missing


def _alias_around(path: Path, document: Document) -> Path | None:
    """Return the path of the outermost alias that the value at a path is a part of."""
    parts = (path[:length] for length in range(1, len(path) + 1))
    return next((part for part in parts if part in document.aliases), None)


def _finding(
    path: Path, errors: Sequence[ModelError], document: Document, keys: SpecKeys
) -> Finding:
    span = document.aliases[path]
    unknown = [str(each.path[-1]) for each in errors if each.code == "extra_forbidden"]
    if not unknown:
        return finding_of(errors[0], document, keys).replaced(span=span, fix=None)
    alias = line_at(document.text, span.line)[span.column - 1 : span.end_column - 1]
    names = ", ".join(unknown[:_MAX_NAMED]) + (", ..." if len(unknown) > _MAX_NAMED else "")
    message = f"{path[-1]}: {alias} stands for a mapping with other keys: {names}"
    return make_finding("BAI203", message, span, form_hint(path, document))
