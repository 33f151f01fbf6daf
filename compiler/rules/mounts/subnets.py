r"""BAI516: a file server stands in the virtual network of the cluster that mounts it.

Nodes reach a file server by its private address, which only machines of the same virtual network
do. The service joins the two by itself where a spec names no subnet.

Wrong (spec):

    fileServers:
      disks:
        vmSize: STANDARD_D2_V2
        disks: {count: 1, sizeGB: 100, type: Standard_LRS}
        user: {name: me, password: env:PASSWORD}
        subnet: "/subscriptions/0/resourceGroups/r/providers/Microsoft.Network\
          /virtualNetworks/storage/subnets/disks"
    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 1
        mounts: {data: "fileServer://disks"}
        subnet: "/subscriptions/0/resourceGroups/r/providers/Microsoft.Network\
          /virtualNetworks/compute/subnets/nodes"

Right (spec):

    fileServers:
      disks:
        vmSize: STANDARD_D2_V2
        disks: {count: 1, sizeGB: 100, type: Standard_LRS}
        user: {name: me, password: env:PASSWORD}
        subnet: "/subscriptions/0/resourceGroups/r/providers/Microsoft.Network\
          /virtualNetworks/compute/subnets/disks"
    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 1
        mounts: {data: "fileServer://disks"}
        subnet: "/subscriptions/0/resourceGroups/r/providers/Microsoft.Network\
          /virtualNetworks/compute/subnets/nodes"
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.volumes import volumes


def _check(subjects: Subjects) -> Iterator[Complaint]:
    servers = {
        str(item.id).lower(): network
        for item in subjects.items
        if item.kind is Kind.FILE_SERVER and item.id and (network := _network(item))
    }
    if not servers:
        return
    for subject in (*subjects.clusters, *subjects.jobs):
        cluster = subjects.cluster_of(subject) if subject.kind is Kind.JOB else subject
        network = _network(cluster) if cluster else None
        if cluster is None or network is None:
            continue
        for volume in volumes(subject):
            path = (*volume.path, "fileServer", "id")
            theirs = servers.get((subject.text(*path) or "").lower())
            if theirs and theirs.lower() != network.lower():
                message = f"the file server is in the network {_name(theirs)}"
                hint = f"the cluster {cluster.name} is in {_name(network)}: put both into one"
                yield Complaint(subject, path, message, hint)


def _network(subject: Subject) -> str | None:
    """Return the ARM id of the virtual network that a machine stands in, if it is said."""
    subnet = subject.text("properties", "subnet", "id")
    return subnet.lower().partition("/subnets/")[0] if subnet else None


def _name(network: str) -> str:
    return network.rstrip("/").rpartition("/")[2]


RULE = Rule(
    "BAI516", "a file server in another network than its cluster", _check, needs_cluster=True
)
