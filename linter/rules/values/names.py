"""Rules about names and ids that files give."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import Kind
from bai.linter.facts.variables import LISTS, environments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, rule
from bai.linter.violation import Part, Violation

_REFERENCES: Final = ("cluster", "fileServer")
"""Keys of references to Batch AI's resources."""
_OWNED: Final = ("workspaces", "clusters", "fileservers")
"""Steps of an ARM id, in lower case, behind which a name of Batch AI's resources stands."""
_LONGEST: Final = 64


@rule("BAI302", form=Form.FILE)  # In specs, the models check names.
def patterns(resource: ResourceView) -> Iterator[Violation]:
    yield from _ids(resource)
    yield from _variables(resource)
    yield from _references(resource)


def _ids(job: ResourceView) -> Iterator[Violation]:
    for what in ("inputDirectories", "outputDirectories"):
        for path, entry in job.entries("properties", what):
            name, here = _written(entry.get("id")), (*path, "id")
            if name.lower() == "stdouterr":
                message = f"the id {name!r} is the service's own, for the logs"
                yield Violation(here, message, "choose another id")
            # A digit may come first, since a prefix stands before the id.
            elif not f"_{name}".isidentifier() or not name.isascii():
                message = f"{name!r} can't be part of a variable's name"
                yield Violation(here, message, "letters, digits and `_`")


def _variables(resource: ResourceView) -> Iterator[Violation]:
    for holder in environments(resource):
        for path, entry in (pair for kind in LISTS for pair in resource.entries(*holder, kind)):
            name = _written(entry.get("name"))
            if not name.isidentifier() or not name.isascii():
                message = f"{name!r} is no name of a variable"
                hint = "letters, digits and `_`, not a digit first"
                yield Violation((*path, "name"), message, hint)


def _references(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts_at("id"):
        if len(path) < 2 or path[-2] not in _REFERENCES or is_expression(text):
            continue
        for kind, name in pairwise(text.split("/")):
            # The rules about ARM ids report missing names.
            if name and kind.lower() in _OWNED and not ("<" in name or _is_name(name)):
                message = f"{name!r} is no name of a resource"
                hint = f"1 to {_LONGEST} letters, digits, `-` and `_`"
                yield Violation(Part(path, name), message, hint)


def _written(name: Any) -> str:
    """Return a name, or a valid one in place of an invalid name or a placeholder."""
    return name if isinstance(name, str) and not is_expression(name) else "_"


def _is_name(text: str) -> bool:
    return len(text) <= _LONGEST and text.replace("-", "a").replace("_", "a").isalnum()


@rule("BAI311", Kind.JOB)
def own_ids(job: ResourceView) -> Iterator[Violation]:
    for what in ("inputDirectories", "outputDirectories"):
        seen = set()
        for path, _ in job.entries("properties", what):
            name = job.literal(*path, "id")
            if name is not None and name in seen:
                message = f"the id {name!r} is taken by another one of the {what}"
                yield Violation((*path, "id"), message, "choose another id")
            seen.add(name)


_RESERVED = ("AZ_BATCHAI_", "AZ_BATCH_")


@rule("BAI309")
def variable_names(resource: ResourceView) -> Iterator[Violation]:
    for holder in environments(resource):
        for path, entry in (pair for name in LISTS for pair in resource.entries(*holder, name)):
            name = entry.get("name")
            if isinstance(name, str) and name.startswith(_RESERVED):
                message = f"{name} is one of the service's variables"
                yield Violation((*path, "name"), message, "choose another name")


@rule("BAI310")
def variables_once(resource: ResourceView) -> Iterator[Violation]:
    for holder in environments(resource):
        first: dict[str, str] = {}
        for kind in LISTS:
            for path, entry in resource.entries(*holder, kind):
                name = entry.get("name")
                if not isinstance(name, str):
                    continue
                if name in first:
                    message = f"{name} is both a secret and a plain variable"
                    if first[name] == kind:
                        message = f"{name} is set twice"
                    yield Violation((*path, "name"), message, "keep one of them")
                first.setdefault(name, kind)
