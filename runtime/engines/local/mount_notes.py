"""How jobs will see what is mounted from elsewhere, in sentences for the plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bai.compiler.resources.resource import Resource
from bai.runtime.errors import LaunchError
from bai.runtime.mounts import kernel, smb
from bai.runtime.mounts.remote import Remote
from bai.runtime.mounts.remotes import remotes
from bai.runtime.mounts.ways import why_copied
from bai.runtime.storage_settings import StorageSettings


def mount_notes(resource: Resource, storage: StorageSettings) -> Iterator[str]:
    """Iterate over a sentence for each mount of a job or a cluster that the context maps.

    Args:
        resource: the job or the cluster.
        storage: what the context says.
    """
    wire = resource.to_wire()
    is_contained = "containerSettings" in wire["properties"]
    try:
        found = list(remotes([wire], storage.real))
    except LaunchError:
        # It is a finding as well.
        return
    for remote in found:
        if not isinstance(remote, Remote):
            host, _ = remote.account.smb_server
            who = "rclone" if kernel.obstacle(smb.CIFS) else "the kernel"
            yield f"{remote.address} is mounted by {who}, from {host}"
        elif why := why_copied(remote.account, is_contained=is_contained):
            yield f"{remote.address} is copied to this machine, and back after the job: {why}"
        else:
            yield f"{remote.address} is mounted by rclone"
    yield from _mapped(wire["properties"], storage)


def _mapped(properties: Mapping[str, Any], storage: StorageSettings) -> Iterator[str]:
    """Iterate over a sentence for each file server that the context maps."""
    for owner in (properties, properties.get("nodeSetup") or {}):
        for entry in (owner.get("mountVolumes") or {}).get("fileServers") or ():
            name = entry["fileServer"]["id"].rstrip("/").rsplit("/", 1)[-1]
            if mapped := storage.mapped.get(name):
                what = f"the export {mapped.export}" if mapped.export else mapped.folder
                yield f"the file server {name} is {what}"
