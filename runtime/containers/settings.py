"""The container of a job, as its run is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bai.runtime.containers.images import full_name


@dataclass(frozen=True, slots=True)
class ContainerSettings:
    """The container that a job's processes run in, one on each node."""

    program: str
    """What runs it on the nodes: `podman` or `docker`; empty if the context has containers off."""
    image: str
    """The image that it is made of."""
    wanted: str
    """The image that the job names; the context may have another one in its place."""
    server: str | None = None
    """The registry that the image is pulled from with credentials."""
    username: str | None = None
    """The account in that registry; None where the image is pulled without one."""
    shm_size: str | None = None
    """Size of /dev/shm with its unit; None for the program's default."""


def container_settings(
    properties: Mapping[str, Any], program: str, images: Mapping[str, str]
) -> ContainerSettings | None:
    """Return the container of a job; None if it has none.

    Args:
        properties: the job's properties in wire form.
        program: what runs containers.
        images: image that jobs name -> image that takes its place.
    """
    container = properties.get("containerSettings")
    if container is None:
        return None
    registry, shm_size = container["imageSourceRegistry"], container.get("shmSize")
    wanted = registry["image"]
    if image := images.get(wanted):
        # The registry and its account are those of the image that is not used.
        return ContainerSettings(program, image, wanted, shm_size=shm_size)
    server = (registry.get("serverUrl") or "").partition("://")[2] or registry.get("serverUrl")
    credentials = registry.get("credentials") or {}
    image = full_name(wanted, server)
    return ContainerSettings(program, image, wanted, server, credentials.get("username"), shm_size)


def container_from_data(kept: Mapping[str, Any] | None) -> ContainerSettings | None:
    """Return a container's settings of the JSON data of their fields."""
    return None if kept is None else ContainerSettings(**kept)
