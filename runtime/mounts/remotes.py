"""What is mounted of real storage accounts, and other machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from bai.runtime.account_settings import AccountSettings
from bai.runtime.mounts.remote import Remote, container_of
from bai.runtime.mounts.share_remote import FileShare, share_of

InAccount = Remote | FileShare
_MADE: Final[dict[str, Callable[[Mapping[str, Any], AccountSettings], InAccount]]] = {
    "azureBlobFileSystems": container_of,
    "azureFileShares": share_of,
}
"""Kind of mount, as in `mountVolumes` -> what makes of one what it shows of a real account."""


def remote_of(
    kind: str, entry: Mapping[str, Any], real: Mapping[str, AccountSettings]
) -> InAccount | None:
    """Return what a mount shows of a real account; None if its account is a folder.

    Args:
        kind: the kind of mount.
        entry: the mount, in wire form.
        real: name -> account that is none.

    Raises:
        LaunchError: nothing says how to log in to the account, or it can't be mounted.
    """
    account = real.get(entry["accountName"])
    return None if account is None else _MADE[kind](entry, account)


def remotes(
    wires: Iterable[Mapping[str, Any]], real: Mapping[str, AccountSettings]
) -> Iterator[InAccount]:
    """Iterate over the containers and shares of real accounts that jobs and clusters mount.

    Args:
        wires: their wire forms.
        real: name -> account that is no folder.

    Raises:
        LaunchError: nothing says how to log in to an account.
    """
    for wire in wires:
        properties = wire.get("properties") or {}
        for owner in (properties, properties.get("nodeSetup") or {}):
            for kind in _MADE:
                for entry in (owner.get("mountVolumes") or {}).get(kind) or ():
                    if found := remote_of(kind, entry, real):
                        yield found
