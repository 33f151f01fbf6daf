"""BAI516: a file server is in the virtual network of the cluster that mounts it."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.volumes import volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation


@context_rule("BAI516", Kind.JOB, Kind.CLUSTER, needs_cluster=True, keys=("fileServer",))
def subnets(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    servers = {
        str(item.id).lower(): network
        for item in context.items
        if item.kind is Kind.FILE_SERVER and item.id and (network := _network(item))
    }
    if not servers:
        return
    cluster = context.cluster_of(resource) if resource.kind is Kind.JOB else resource
    network = _network(cluster) if cluster else None
    if cluster is None or network is None:
        return
    for volume in volumes(resource):
        path = volume.at("fileServer", "id")
        theirs = servers.get((resource.text(*path) or "").lower())
        if theirs and theirs.lower() != network.lower():
            message = f"the file server is in the network {_name(theirs)}"
            hint = f"the cluster {cluster.name} is in {_name(network)}: put both into one"
            yield Violation(path, message, hint)


def _network(resource: ResourceView) -> str | None:
    """Return the ARM id of a machine's virtual network, if it is given."""
    subnet = resource.text("properties", "subnet", "id")
    return subnet.lower().partition("/subnets/")[0] if subnet else None


def _name(network: str) -> str:
    return network.rstrip("/").rpartition("/")[2]
