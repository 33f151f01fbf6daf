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

from bai.compiler.rules.mounts.roots import OWNERS, Below, Mounts, root_uses
from bai.compiler.rules.mounts.tree import MountTree, Place
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.service_variables import CLUSTER_ROOT, JOB_ROOT
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.variable_uses import Use
from bai.specs.names import suggestion


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in (*subjects.jobs, *subjects.clusters):
        mounts: Mounts | None = None
        for use, place in root_uses(subject):
            mounts = mounts or Mounts.seen_by(subject, subjects)
            if complaint := _complaint(subject, use, place, mounts):
                yield complaint


def _complaint(subject: Subject, use: Use, place: Below, mounts: Mounts) -> Complaint | None:
    known = mounts.at(use.name)
    if known is None or place.path.startswith(".."):
        return None
    where, name = place.among(known)
    if where is not Place.BESIDE:
        return None
    if glued := _without_slash(subject, place.path.split("/")[0], known):
        return Complaint(subject, use.path, *glued)
    # The path may be written with more slashes than one, or behind a quotation mark.
    part = use.text[use.start : use.text.find(place.rest, use.end)] + name
    message = f"the {OWNERS[use.name]} has no mount {name!r}"
    return Complaint(subject, use.path, message, _hint(subject, use, place, mounts), part)


def _without_slash(subject: Subject, first: str, known: MountTree) -> tuple[str, str, str] | None:
    """Return message, hint and part of the text where a name stands behind a reference at once."""
    for mount in known.paths if subject.is_compiled else ():
        reference, rest = f"${{mounts.{mount}}}", first.removeprefix(mount)
        if rest != first and f"{reference}{rest}" in subject.source:
            message = f"no slash stands between {reference} and {rest!r}"
            return message, f"write {reference}/{rest}", f"{reference}{rest}"
    return None


def _hint(subject: Subject, use: Use, place: Below, mounts: Mounts) -> str:
    """Return what to do about a path without a mount at its level."""
    other = CLUSTER_ROOT if use.name == JOB_ROOT else JOB_ROOT
    elsewhere = mounts.at(other)
    if elsewhere and place.among(elsewhere)[0] is Place.ON:
        return f"it is a {OWNERS[other]} mount: use ${other}"
    known = mounts.at(use.name)
    if known and known.paths:
        return suggestion(place.path.split("/")[0], known.paths)
    key = "mounts" if subject.is_compiled else "mountVolumes"
    return f"declare it under the {OWNERS[use.name]}'s {key}"


RULE = Rule(
    "BAI506", "a path below a mount root that leads to no mount", _check, needs_cluster=True
)
