"""BAI302: names have only the characters that the service allows.

Resources' names have 1 to 64 letters, digits, `-` and `_`. Names of environment variables have no
`-`, which no shell takes in them, and do not begin with a digit. The ids of inputs and outputs
become parts of such names (`AZ_BATCHAI_INPUT_DATA`); `stdouterr` is the service's own id, of the
logs. A subscription is named by its id, a UUID; another text in a spec is a warning.

Wrong (job.json):

    {
      "inputDirectories": [
        {"id": "training-data", "path": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data"}
      ]
    }

Right (job.json):

    {
      "inputDirectories": [
        {"id": "TRAINING_DATA", "path": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data"}
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from bai.compiler.batchai.expressions import is_expression
from bai.linter.facts.variables import LISTS, environments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation

_REFERENCES: Final = ("cluster", "fileServer")
"""Keys of references to Batch AI's resources."""
_OWNED: Final = ("workspaces", "clusters", "fileservers")
"""Steps of an ARM id, in lower case, behind which a name of Batch AI's resources stands."""
_LONGEST: Final = 64


@rule("BAI302")
def patterns(resource: ResourceView) -> Iterator[Violation]:
    if resource.is_compiled:
        return  # What specs call things is checked where it is read.
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
            # A digit may stand first: something stands before it.
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
            # That a name is missing is told with the form of the id.
            if name and kind.lower() in _OWNED and not ("<" in name or _is_name(name)):
                message = f"{name!r} is no name of a resource"
                hint = f"1 to {_LONGEST} letters, digits, `-` and `_`"
                yield Violation(Part(path, name), message, hint)


def _written(name: Any) -> str:
    """Return a name, or a valid one in place of what is none or stands for another one."""
    return name if isinstance(name, str) and not is_expression(name) else "_"


def _is_name(text: str) -> bool:
    return len(text) <= _LONGEST and text.replace("-", "a").replace("_", "a").isalnum()
