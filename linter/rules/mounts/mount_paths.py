"""The rules about paths of mounts below their root, below what is mounted, and to mounts."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Any, Final

from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT
from bai.compiler.resources.ids import Kind
from bai.linter.cache import cached_tuples
from bai.linter.context import RuleContext
from bai.linter.facts.mount_roots import (
    OWNERS,
    MountTree,
    Position,
    RootPath,
    names_of,
    root_paths,
    visible_mounts,
)
from bai.linter.facts.volumes import volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import OWN_VARIABLES, Form, context_rule, rule, without
from bai.linter.violation import Part, Violation
from bai.specs.findings import Path
from bai.specs.names import suggestion

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


_INNER: Final = ("sourceDirectory", "pathSuffix")


@rule(
    "BAI515",
    Kind.JOB,
    Kind.CLUSTER,
    keys=_INNER,
    accepts=dict.fromkeys(_INNER, without(r"\.\.")),
)
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


@context_rule("BAI506", Kind.JOB, Kind.CLUSTER, needs_cluster=True, accepts={OWN_VARIABLES: {}})
def mounted_paths(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """Every path below a mount root leads to a mount."""
    mounts = visible_mounts(resource, context)
    for path in root_paths(resource):
        known = mounts[path.use.name]
        if known is None or path.leaves_root:
            continue
        position, unmounted = path.among(known)
        if position is Position.UNMOUNTED:
            elsewhere = mounts[CLUSTER_ROOT if path.use.name == JOB_ROOT else JOB_ROOT]
            yield _without_slash(resource, path, known) or Violation(
                Part(path.use.path, _written(path, unmounted)),
                f"the {OWNERS[path.use.name]} has no mount {unmounted!r}",
                _hint(resource, path, known, elsewhere),
            )


def _written(path: RootPath, unmounted: str) -> str:
    """Return the prefix of a path as it is written, up to the first name that is no mount."""
    # There may be more slashes than one, or a quotation mark.
    use = path.use
    return use.text[use.start : use.text.find(path.rest, use.end)] + unmounted


def _without_slash(resource: ResourceView, path: RootPath, known: MountTree) -> Violation | None:
    """Return the violation of a path in which a name follows a reference without a slash."""
    first = path.path.split("/")[0]
    for mount in known.paths if resource.is_compiled else ():
        reference, rest = f"${{mounts.{mount}}}", first.removeprefix(mount)
        part = f"{reference}{rest}"
        if rest != first and part in resource.source:
            message = f"no slash stands between {reference} and {rest!r}"
            return Violation(Part(path.use.path, part), message, f"write {reference}/{rest}")
    return None


def _hint(
    resource: ResourceView, path: RootPath, known: MountTree, elsewhere: MountTree | None
) -> str:
    """Return what to do about a path without a mount at its level."""
    root = path.use.name
    other = CLUSTER_ROOT if root == JOB_ROOT else JOB_ROOT
    if elsewhere and path.among(elsewhere)[0] is Position.MOUNTED:
        return f"it is a {OWNERS[other]} mount: use ${other}"
    if known.paths:
        return suggestion(path.path.split("/")[0], known.paths)
    key = "mounts" if resource.is_compiled else "mountVolumes"
    return f"declare it under the {OWNERS[root]}'s {key}"
