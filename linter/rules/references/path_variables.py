"""BAI418: paths of logs and outputs have no variables but those of directories."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule, without
from bai.linter.violation import Range, Violation
from bai.specs.findings import Path

_KEYS: Final = ("stdOutErrPathPrefix", "pathPrefix", "pathSuffix")
_USE: Final = re.compile(
    r"\$(?:\$|(?:\{(?P<braced>[A-Za-z_]\w*)\}|(?P<bare>[A-Za-z_]\w*)))", re.ASCII
)
_SERVICE: Final = re.compile("AZ(?:URE)?_?BATCH", re.IGNORECASE)
"""How names begin that are the service's variables, or misspelt ones: others rules check these."""
_ONE_USE: Final = {"pattern": r"^\$\{?AZ_BATCHAI_[^$]*$"}


def has_other_variables(text: str) -> bool:
    """Return whether a path uses variables that are not the service's."""
    return any(_uses(text))


@rule(
    "BAI418",
    Kind.JOB,
    Kind.CLUSTER,
    keys=_KEYS,
    accepts={
        "stdOutErrPathPrefix": _ONE_USE,
        "OutputDirectory.pathPrefix": _ONE_USE,
        "OutputDirectory.pathSuffix": without(r"\$"),
    },
)
def path_variables(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts_at(*_KEYS):
        if is_expression(text):
            continue
        for use in _uses(text):
            message = f"{use[0]} is not expanded here: a directory would get this name"
            yield Violation(Range(path, *use.span()), message, _hint(resource, path, use))


def _uses(text: str) -> Iterator[re.Match[str]]:
    for use in _USE.finditer(text):
        name = use["braced"] or use["bare"]
        if name and not _SERVICE.match(name):
            yield use


def _hint(resource: ResourceView, path: Path, use: re.Match[str]) -> str:
    if path[-1] == "pathSuffix" or use.start():
        return "write what it stands for"
    root = "${mounts.NAME}" if resource.is_compiled else "$AZ_BATCHAI_JOB_MOUNT_ROOT/NAME"
    return f"begin the path with {root}, and write what the variable stands for"
