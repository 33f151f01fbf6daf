"""Rules about names and ids that files give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.batchai.variables import JOB_ROOT
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.reserved import CODE_SHARE, CODE_UNKNOWN, CODE_VARIABLE, SWEEP_VARIABLES
from bai.linter.facts.variables import LISTS, set_variables
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, rule, without
from bai.linter.violation import Part, Violation
from bai.specs.findings import Path

_REFERENCES: Final = ("cluster", "fileServer")
"""Keys of references to Batch AI's resources."""
_OWNED: Final = ("workspaces", "clusters", "fileservers")
"""Steps of an ARM id, in lower case, behind which a name of Batch AI's resources stands."""
_LONGEST: Final = 64


_ID: Final = {"pattern": "^[A-Za-z0-9_]+$", **without("[Rr]$")}
_USUAL_ID: Final = (
    "^/subscriptions/[A-Za-z0-9-]+/resourceGroups/[A-Za-z0-9_-]{1,64}/providers/Microsoft[.]BatchAI"
    "/workspaces/[A-Za-z0-9_-]{1,64}/[A-Za-z]+/[A-Za-z0-9_-]{1,64}$"
)
_VARIABLE: Final = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}
_IDS: Final = ("InputDirectory.id", "OutputDirectory.id")
_NAMES: Final = ("EnvironmentVariable.name", "EnvironmentVariableWithSecretValue.name")
"""Places of the screen."""


@rule(
    "BAI302",
    form=Form.FILE,  # In specs, the models check names.
    accepts={
        **{key: {"properties": {"id": {"pattern": _USUAL_ID}}} for key in _REFERENCES},
        **dict.fromkeys(_IDS, _ID),
        **dict.fromkeys(_NAMES, _VARIABLE),
    },
)
def patterns(resource: ResourceView) -> Iterator[Violation]:
    yield from _ids(resource)
    yield from _variables(resource)
    yield from _references(resource)


def _ids(job: ResourceView) -> Iterator[Violation]:
    for what in ("inputDirectories", "outputDirectories"):
        for path, entry in job.entries("properties", what):
            id = entry.get("id")
            if isinstance(id, str) and (problem := _id_problem(id)):
                yield Violation((*path, "id"), *problem)


def _id_problem(name: str) -> tuple[str, str] | None:
    """Return (message, hint) about an id that is not possible."""
    if is_expression(name):
        return None
    if name.lower() == "stdouterr":
        return f"the id {name!r} is the service's own, for the logs", "choose another id"
    # A digit may come first, since a prefix stands before the id.
    if f"_{name}".isidentifier() and name.isascii():
        return None
    return f"{name!r} can't be part of a variable's name", "letters, digits and `_`"


def _variables(resource: ResourceView) -> Iterator[Violation]:
    for path, name in set_variables(resource):
        if not (name.isidentifier() and name.isascii()) and not is_expression(name):
            hint = "letters, digits and `_`, not a digit first"
            yield Violation(path, f"{name!r} is no name of a variable", hint)


def _references(resource: ResourceView) -> Iterator[Violation]:
    if resource.keys.isdisjoint(_REFERENCES):
        return
    for path, text in resource.texts_at("id"):
        if len(path) < 2 or path[-2] not in _REFERENCES or is_expression(text):
            continue
        for kind, name in pairwise(text.split("/")):
            # The rules about ARM ids report missing names.
            if name and kind.lower() in _OWNED and not ("<" in name or _is_name(name)):
                message = f"{name!r} is no name of a resource"
                hint = f"1 to {_LONGEST} letters, digits, `-` and `_`"
                yield Violation(Part(path, name), message, hint)


def _is_name(text: str) -> bool:
    return len(text) <= _LONGEST and text.replace("-", "a").replace("_", "a").isalnum()


@rule("BAI311", Kind.JOB)
def own_ids(job: ResourceView) -> Iterator[Violation]:
    for what in ("inputDirectories", "outputDirectories"):
        seen = set()
        for path, entry in job.entries("properties", what):
            name = entry.get("id")
            if not isinstance(name, str) or "<" in name or is_expression(name):
                continue
            if name in seen:
                message = f"the id {name!r} is taken by another one of the {what}"
                yield Violation((*path, "id"), message, "choose another id")
            seen.add(name)


_RESERVED: Final = ("AZ_BATCHAI_", "AZ_BATCH_")
_OWN: Final = "BAI_"
_SNAPSHOT: Final = re.compile(rf"\${JOB_ROOT}/{CODE_SHARE}/(?:[0-9a-f]{{32}}|{CODE_UNKNOWN})")


@rule("BAI309", keys=LISTS, accepts=dict.fromkeys(_NAMES, without("^(AZ_BATCH|BAI_)")))
def variable_names(resource: ResourceView) -> Iterator[Violation]:
    for path, name in set_variables(resource):
        if name == CODE_VARIABLE and _leads_to_code(resource, resource.get(*path[:-1])):
            continue
        if name in SWEEP_VARIABLES and not _is_written(resource, path):
            continue
        if name.startswith(_RESERVED):
            message = f"{name} is one of the service's variables"
            yield Violation(path, message, "choose another name")
        elif name.startswith(_OWN):
            message = f"{name} is one of bai's own variables"
            yield Violation(path, message, f"choose a name that does not begin with `{_OWN}`")


def _leads_to_code(resource: ResourceView, variable: dict[str, str]) -> bool:
    """Return whether a variable is that of a job's code.

    It is in files that the compiler wrote, and in specs that were imported from these.
    """
    if resource.code is not None:
        return variable == resource.code.variable
    return _SNAPSHOT.fullmatch(str(variable.get("value"))) is not None


def _is_written(resource: ResourceView, path: Path) -> bool:
    """Return whether a spec has the variable of a path; the compiler's have no place of their own.

    In files, it is the compiler that wrote it.
    """
    if not resource.is_compiled or resource.places is None:
        return False
    return resource.places.span(path) != resource.places.span(path[:-1])


@rule("BAI310", keys=LISTS)
def variables_once(resource: ResourceView) -> Iterator[Violation]:
    first: dict[str, str | int] = {}
    for path, name in set_variables(resource):
        kind = path[-3]
        if name in first:
            message = f"{name} is both a secret and a plain variable"
            if first[name] == kind:
                message = f"{name} is set twice"
            yield Violation(path, message, "keep one of them")
        first.setdefault(name, kind)
