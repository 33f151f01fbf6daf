"""Fill in what the old command line filled in before it sent a file."""

from __future__ import annotations

import re
from typing import Any

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.specs.placeholders import STORAGE_KEY_PLACEHOLDER

_HOST = re.compile(r"https://([^./]+)\.")


def fill_in(properties: Any) -> None:
    """Add missing account names and credentials to the mounts of a cluster or a job, in place.

    Values of another shape than a mount stay as they are: the models report them.
    """
    for holder in (properties, _mapping(properties, "nodeSetup")):
        volumes = _mapping(holder, "mountVolumes")
        for share in _mappings(volumes, "azureFileShares"):
            host = _HOST.match(str(share.get("azureFileUrl", "")))
            if not share.get("accountName"):
                share["accountName"] = host[1] if host else STORAGE_ACCOUNT_PLACEHOLDER
            _fill_key(share)
        for blob in _mappings(volumes, "azureBlobFileSystems"):
            if blob.get("accountName") == "":
                blob["accountName"] = STORAGE_ACCOUNT_PLACEHOLDER
            _fill_key(blob)


def _fill_key(volume: dict[str, Any]) -> None:
    if volume.get("credentials") in (None, {}):
        volume["credentials"] = {"accountKey": STORAGE_KEY_PLACEHOLDER}


def _mapping(holder: Any, key: str) -> dict[str, Any]:
    found = holder.get(key) if isinstance(holder, dict) else None
    return found if isinstance(found, dict) else {}


def _mappings(holder: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = holder.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
