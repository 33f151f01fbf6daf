"""What the old command line filled in before it sent a file."""

from __future__ import annotations

import re
from typing import Any

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.specs.secrets import STORAGE_KEY_PLACEHOLDER

_HOST = re.compile(r"https://([^./]+)\.")


def fill_in(properties: dict[str, Any]) -> None:
    """Add missing account names and credentials to the mounts of a cluster or a job, in place."""
    for holder in (properties, properties.get("nodeSetup", {})):
        volumes = holder.get("mountVolumes", {})
        for share in volumes.get("azureFileShares", ()):
            host = _HOST.match(str(share.get("azureFileUrl", "")))
            share.setdefault("accountName", host[1] if host else STORAGE_ACCOUNT_PLACEHOLDER)
            _fill_key(share)
        for blob in volumes.get("azureBlobFileSystems", ()):
            _fill_key(blob)


def _fill_key(volume: dict[str, Any]) -> None:
    if not volume.get("credentials"):
        volume["credentials"] = {"accountKey": STORAGE_KEY_PLACEHOLDER}
