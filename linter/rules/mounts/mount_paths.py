"""The rules about paths of mounts below their root, and of parts below what is mounted."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Any

from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT
from bai.compiler.resources.ids import Kind
from bai.linter.cache import cached_tuples
from bai.linter.facts.mount_roots import MountTree, names_of
from bai.linter.facts.volumes import volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, rule
from bai.linter.violation import Violation
from bai.specs.findings import Path

_KEY = "relativeMountPath"


# In specs, the models check the keys of `mounts`.
@rule("BAI502", Kind.JOB, Kind.CLUSTER, form=Form.FILE, keys=(_KEY,))
def mount_paths(resource: ResourceView) -> Iterator[Violation]:
    """Mounts stand side by side below their root."""
    placed = [
        (volume.at(_KEY), text)
        for volume in volumes(resource)
        if (text := volume.text(_KEY)) is not None
    ]
    for index, message, hint in _misplaced(tuple([text for _, text in placed])):
        yield Violation(placed[index][0], message, hint)


@cached_tuples
def _misplaced(paths: Sequence[str]) -> Sequence[tuple[int, str, str]]:
    """Return (index, message, hint) of the mount paths that are not possible."""
    return list(_find_misplaced(paths))


def _find_misplaced(paths: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    tree = MountTree()
    for index, text in enumerate(paths):
        names = names_of(text)
        if not text:
            yield index, "the mount path is empty", "write a name"
        elif names and names[0].strip("${}") in (CLUSTER_ROOT, JOB_ROOT):
            message = f"the mount path {text!r} names the mount root, below which it is anyway"
            yield index, message, f"write {'/'.join(names[1:]) or 'a name'}"
        elif text.startswith("/") or ".." in names or not names:
            message = f"the mount path {text!r} leaves the mount root"
            yield index, message, "write a relative path without `..`"
        elif other := tree.add(text):
            message = f"the mount path {text!r} overlaps with {other!r}"
            yield index, message, "mount them side by side"


@rule("BAI515", Kind.JOB, Kind.CLUSTER, keys=("sourceDirectory", "pathSuffix"))
def inner_paths(resource: ResourceView) -> Iterator[Violation]:
    """A path suffix stays below its base path."""
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
