"""BAI402: it is clear which cluster a job runs on, and which file server is mounted.

A spec names both, or leaves the cluster out where it has only one. The service itself takes
nothing but their ARM ids, which also lead to other workspaces.

Wrong (spec):

    clusters:
      small: {vmSize: STANDARD_NC6, scale: 1}
      large: {vmSize: STANDARD_NC6, scale: 4}
    jobs:
      train:
        nodeCount: 1
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        custom: {command: hostname}

Right (spec):

    clusters:
      small: {vmSize: STANDARD_NC6, scale: 1}
      large: {vmSize: STANDARD_NC6, scale: 4}
    jobs:
      train:
        cluster: small
        nodeCount: 1
        mounts: {data: "azureFile:data"}
        logs: ${mounts.data}
        custom: {command: hostname}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import Kind
from bai.linter.facts.volumes import volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation
from bai.specs.findings import Path


@rule("BAI402")
def cluster_choice(resource: ResourceView) -> Iterator[Violation]:
    # Passes have told it of what specs name.
    for kind, path in () if resource.is_compiled else _named(resource):
        text = resource.text(*path)
        if text is None or is_expression(text) or "<" in text or _is_id(text, kind):
            continue
        word = "cluster" if kind is Kind.CLUSTER else "file server"
        hint = (
            "/subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.BatchAI"
            f"/workspaces/WORKSPACE/{kind}/NAME"
        )
        yield Violation(path, f"this is not the ARM id of a {word}", hint)


def _named(resource: ResourceView) -> Iterator[tuple[Kind, Path]]:
    """Iterate over (kind, path) of the ids of other resources."""
    if resource.kind is Kind.JOB:
        yield Kind.CLUSTER, ("properties", "cluster", "id")
    for volume in volumes(resource):
        if volume.kind == "fileServers":
            yield Kind.FILE_SERVER, (*volume.path, "fileServer", "id")


def _is_id(text: str, kind: Kind) -> bool:
    # Far quicker than to parse the id, which takes a pattern with many turns.
    match text.lower().split("/"):
        case ["", "subscriptions", _, "resourcegroups", _, "providers", provider, *names]:
            types = ["workspaces", kind.lower()]
            return provider == "microsoft.batchai" and names[::2] == types and all(names[1::2])
    return False
