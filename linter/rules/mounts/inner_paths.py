"""BAI515: a path suffix stays below its base path."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from bai.compiler.resources.ids import Kind
from bai.linter.facts.volumes import volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation
from bai.specs.findings import Path


@rule("BAI515", Kind.JOB, Kind.CLUSTER, keys=("sourceDirectory", "pathSuffix"))
def inner_paths(resource: ResourceView) -> Iterator[Violation]:
    parts: list[tuple[Path, Any, str]] = [
        (volume.at("sourceDirectory"), volume.text("sourceDirectory"), "the file server")
        for volume in volumes(resource)
    ]
    parts += [
        ((*path, "pathSuffix"), entry.get("pathSuffix"), "the job's outputs")
        for path, entry in resource.entries("properties", "outputDirectories")
    ]
    for path, text, whole in parts:
        if isinstance(text, str) and ".." in text and _leaves(text):
            yield Violation(path, f"{text!r} leads out of {whole}", "write a path without `..`")


def _leaves(text: str) -> bool:
    return posixpath.normpath(text.lstrip("/")).split("/")[0] == ".."
