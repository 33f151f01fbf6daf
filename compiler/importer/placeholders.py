"""Placeholders in volumes that a template's user was to fill in: `[your account]`, `<share>`.

An account becomes the placeholder of the old command line, which the context fills in; any other
name becomes a gap for the user. What the old command line filled in before it sent a file is filled
in here as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.importer.notes import Notes, dotted
from bai.compiler.importer.origins import origin_of, placed
from bai.compiler.passes.accounts import share_url
from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.specs.findings import Path
from bai.specs.placeholders import GAP, STORAGE_KEY_PLACEHOLDER, placeholders

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


_ADDRESS: Final = re.compile(r"(https?://)([^/]*)/(.+)", re.DOTALL)


def unfilled(text: str) -> Iterator[str]:
    """Iterate over the placeholders and expressions in a text that nothing fills in."""
    found = (text,) if is_expression(text) else placeholders(text)
    return (part for part in found if part != STORAGE_ACCOUNT_PLACEHOLDER)


def fill_gaps(volumes: dict[str, Any], path: Path, notes: Notes) -> None:
    """Replace the placeholders of accounts, shares and containers in volumes, in place."""
    for number, share in enumerate(volumes.get("azureFileShares", [])):
        _share(share, (*path, "azureFileShares", number), notes)
    for number, blob in enumerate(volumes.get("azureBlobFileSystems", [])):
        place = (*path, "azureBlobFileSystems", number)
        if name := blob.get("accountName"):
            blob["accountName"] = _account(name, (*place, "accountName"), notes)
        if parts := list(unfilled(blob["containerName"])):
            _note(parts, (*place, "containerName"), notes, _NAME_HINT)
            blob["containerName"] = placed(GAP, origin_of(blob["containerName"]))


def _share(share: dict[str, Any], path: Path, notes: Notes) -> None:
    url, written = share["azureFileUrl"], share["accountName"]
    account = written
    # Where the file has no account name, it was taken from the address, which is handled below.
    if origin_of(written):
        account = _account(written, (*path, "accountName"), notes)
    elif any(unfilled(written)):
        account = STORAGE_ACCOUNT_PLACEHOLDER
    share["accountName"] = account
    parts = list(unfilled(url))
    if not parts:
        return
    place = (*path, "azureFileUrl")
    address = _ADDRESS.fullmatch(url)
    if address is None or parts == [url]:
        _note(parts, place, notes, _NAME_HINT)
        share["azureFileUrl"] = placed(share_url(account, GAP), origin_of(url))
        return
    scheme, host, name = address.groups()
    in_host = list(unfilled(host))
    _note(in_host, place, notes, _ACCOUNT_HINT)
    for part in in_host:
        host = host.replace(part, account)
    if parts := list(unfilled(name)):
        _note(parts, place, notes, _NAME_HINT)
        name = GAP
    share["azureFileUrl"] = placed(f"{scheme}{host}/{name}", origin_of(url))


def _account(name: str, path: Path, notes: Notes) -> str:
    parts = list(unfilled(name))
    _note(parts, path, notes, _ACCOUNT_HINT)
    return placed(STORAGE_ACCOUNT_PLACEHOLDER, origin_of(name)) if parts else name


_ACCOUNT_HINT: Final = "the spec leaves it to the context, or write storageAccount"
_NAME_HINT: Final = f"write the name in place of `{GAP}`"


def _note(parts: list[str], path: Path, notes: Notes, hint: str) -> None:
    for part in parts:
        message = f"{dotted(path)} has the placeholder {part!r}"
        notes.at_part(path, part, "BAI611", message, hint)
