"""BAI506: every path below a mount root leads to a mount.

A job's own mounts appear below `$AZ_BATCHAI_JOB_MOUNT_ROOT`, its cluster's below
`$AZ_BATCHAI_MOUNT_ROOT`. What is written to any other path there goes to the node's disk, and what
is read from there is not found. What a job mounts itself is not below the cluster's root, and the
other way round.

Wrong (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 1, mounts: {sets: "azureFile:sets"}}
    jobs:
      train:
        nodeCount: 1
        logs: ${mounts.sets}
        custom: {command: "ls $AZ_BATCHAI_JOB_MOUNT_ROOT/sets"}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 1, mounts: {sets: "azureFile:sets"}}
    jobs:
      train:
        nodeCount: 1
        logs: ${mounts.sets}
        custom: {command: "ls $AZ_BATCHAI_MOUNT_ROOT/sets"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.roots import OWNERS, Below, Mounts, root_uses
from bai.linter.facts.tree import MountTree, Place
from bai.linter.facts.variable_uses import Use
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Part, Violation
from bai.specs.names import suggestion


@context_rule("BAI506", Kind.JOB, Kind.CLUSTER, needs_cluster=True)
def mounted_paths(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    mounts: Mounts | None = None
    for use, place in root_uses(resource):
        mounts = mounts or Mounts.seen_by(resource, context)
        if violation := _violation(resource, use, place, mounts):
            yield violation


def _violation(resource: ResourceView, use: Use, place: Below, mounts: Mounts) -> Violation | None:
    known = mounts.at(use.name)
    if known is None or place.path.startswith(".."):
        return None
    where, name = place.among(known)
    if where is not Place.BESIDE:
        return None
    if glued := _without_slash(resource, place.path.split("/")[0], known):
        message, hint, part = glued
        return Violation(Part(use.path, part), message, hint)
    # The path may be written with more slashes than one, or behind a quotation mark.
    part = use.text[use.start : use.text.find(place.rest, use.end)] + name
    message = f"the {OWNERS[use.name]} has no mount {name!r}"
    return Violation(Part(use.path, part), message, _hint(resource, use, place, mounts))


def _without_slash(
    resource: ResourceView, first: str, known: MountTree
) -> tuple[str, str, str] | None:
    """Return message, hint and part of the text where a name stands behind a reference at once."""
    for mount in known.paths if resource.is_compiled else ():
        reference, rest = f"${{mounts.{mount}}}", first.removeprefix(mount)
        if rest != first and f"{reference}{rest}" in resource.source:
            message = f"no slash stands between {reference} and {rest!r}"
            return message, f"write {reference}/{rest}", f"{reference}{rest}"
    return None


def _hint(resource: ResourceView, use: Use, place: Below, mounts: Mounts) -> str:
    """Return what to do about a path without a mount at its level."""
    other = CLUSTER_ROOT if use.name == JOB_ROOT else JOB_ROOT
    elsewhere = mounts.at(other)
    if elsewhere and place.among(elsewhere)[0] is Place.ON:
        return f"it is a {OWNERS[other]} mount: use ${other}"
    known = mounts.at(use.name)
    if known and known.paths:
        return suggestion(place.path.split("/")[0], known.paths)
    key = "mounts" if resource.is_compiled else "mountVolumes"
    return f"declare it under the {OWNERS[use.name]}'s {key}"
