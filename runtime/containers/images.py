"""Names of images, and the accounts that they are pulled with."""

from __future__ import annotations

import base64
import json
from typing import Final

LOCAL: Final = "localhost"
"""The registry in the names of images that were built on this machine, in podman's form."""

_HUB: Final = "docker.io"
_HUB_KEYS: Final = (_HUB, "https://index.docker.io/v1/")
"""What podman and docker look for Docker Hub's account by."""


def registry_of(image: str) -> str | None:
    """Return the registry that the name of an image begins with; None if it names none.

    >>> registry_of("me.azurecr.io/train:3"), registry_of("tensorflow/tensorflow:1.8.0-gpu")
    ('me.azurecr.io', None)
    """
    first, slash, _ = image.partition("/")
    is_registry = bool(slash) and ("." in first or ":" in first or first == LOCAL)
    return first if is_registry else None


def full_name(image: str, server: str | None = None) -> str:
    """Return the name of an image with the registry that a job names beside it.

    >>> full_name("train:3", "me.azurecr.io"), full_name("ubuntu:22.04")
    ('me.azurecr.io/train:3', 'ubuntu:22.04')
    """
    if server and not registry_of(image):
        return f"{server.strip('/')}/{image}"
    return image


def pulled_name(image: str) -> str:
    """Return the name that an image is pulled by: Docker Hub's where it names no registry.

    podman would ask, or refuse, where no registries are set up to be searched.

    >>> pulled_name("ubuntu:22.04"), pulled_name("tensorflow/tensorflow")
    ('docker.io/library/ubuntu:22.04', 'docker.io/tensorflow/tensorflow')
    """
    if registry_of(image):
        return image
    return f"{_HUB}/{image if '/' in image else f'library/{image}'}"


def account_file(image: str, server: str | None, username: str, password: str) -> str:
    """Return the content of a file with an account, which podman and docker both read."""
    registry = server or registry_of(image) or _HUB
    keys = _HUB_KEYS if registry in (_HUB, "index.docker.io") else (registry.strip("/"),)
    account = base64.b64encode(f"{username}:{password}".encode()).decode()
    return json.dumps({"auths": {key: {"auth": account} for key in keys}})
