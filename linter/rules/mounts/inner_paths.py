"""BAI515: a part of a path stays below what it is a part of.

`pathSuffix` leads on from the job's own directory of outputs, `sourceDirectory` from the top of a
file server. With `..` they would leave it, for what belongs to another job or to the machine.

Wrong (job):

    outputs: {MODEL: {path: "${mounts.data}", suffix: ../../models}}

Right (job):

    outputs: {MODEL: {path: "${mounts.data}", suffix: models}}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.facts.volumes import volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation
from bai.specs.findings import Path


@rule("BAI515")
def inner_paths(resource: ResourceView) -> Iterator[Violation]:
    for path, text, whole in _parts(resource):
        if ".." in text and _leaves(text):
            message, hint = f"{text!r} leads out of {whole}", "write a path without `..`"
            yield Violation(path, message, hint)


def _parts(resource: ResourceView) -> Iterator[tuple[Path, str, str]]:
    """Iterate over (path, text, what it is a part of)."""
    for volume in volumes(resource):
        if (source := volume.text("sourceDirectory")) is not None:
            yield (*volume.path, "sourceDirectory"), source, "the file server"
    if resource.kind is Kind.JOB:
        for path, entry in resource.entries("properties", "outputDirectories"):
            if isinstance(suffix := entry.get("pathSuffix"), str):
                yield (*path, "pathSuffix"), suffix, "the job's outputs"


def _leaves(text: str) -> bool:
    return posixpath.normpath(text.lstrip("/")).split("/")[0] == ".."
