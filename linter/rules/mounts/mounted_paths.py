"""BAI506: every path below a mount root leads to a mount."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.mount_roots import (
    OWNERS,
    MountTree,
    Position,
    RootPath,
    root_paths,
    visible_mounts,
)
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Part, Violation
from bai.specs.names import suggestion


@context_rule("BAI506", Kind.JOB, Kind.CLUSTER, needs_cluster=True, marks="$")
def mounted_paths(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
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
