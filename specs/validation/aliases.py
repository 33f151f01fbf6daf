"""Aliases that stand for a value of another form than their place takes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from bai.specs.codes import make_finding
from bai.specs.document import Document
from bai.specs.findings import Finding, Path
from bai.specs.source.places import line_at
from bai.specs.validation.examples import form_hint
from bai.specs.validation.messages import finding_of
from bai.specs.validation.model_errors import ModelError
from bai.specs.validation.spec_keys import SpecKeys

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
