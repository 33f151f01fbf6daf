"""How jobs will see the containers of real accounts, in sentences for the plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bai.compiler.resources.resource import Resource
from bai.runtime.account_settings import AccountSettings
from bai.runtime.errors import LaunchError
from bai.runtime.mounts.remote import remotes
from bai.runtime.mounts.ways import why_copied


def mount_notes(resource: Resource, real: Mapping[str, AccountSettings]) -> Iterator[str]:
    """Iterate over a sentence for each container that a job or a cluster mounts.

    Args:
        resource: the job or the cluster.
        real: name -> account that is no folder.
    """
    wire = resource.to_wire()
    is_contained = "containerSettings" in wire["properties"]
    try:
        found = list(remotes([wire], real))
    except LaunchError:
        # It is a finding as well.
        return
    for remote in found:
        if why := why_copied(remote.account, is_contained=is_contained):
            yield f"{remote.address} is copied to this machine, and back after the job: {why}"
        else:
            yield f"{remote.address} is mounted by rclone"
