"""Accounts that are folders in a context that has real ones: a name may be misspelt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER, Kind
from bai.compiler.resources.resource import Resource
from bai.runtime.accounts import DEFAULT_ACCOUNT
from bai.runtime.mounts.volumes import entries
from bai.runtime.storage_settings import StorageSettings
from bai.specs.document import value_at
from bai.specs.names import nearest


def folder_accounts(resource: Resource, storage: StorageSettings, state: Path) -> Iterator[str]:
    """Iterate over sentences about the accounts of a job's or a cluster's mounts that are folders.

    There are none of the default account, which mounts without a name have, and none where the
    context has no real account.
    """
    if not storage.real:
        return
    setup = ("nodeSetup",) if resource.id.kind is Kind.CLUSTER else ()
    mounts = value_at(resource.to_wire(), ("properties", *setup, "mountVolumes"), {}) or {}
    found = (entry.get("accountName") for _, _, entry in entries(mounts))
    names: dict[str, None] = dict.fromkeys(name for name in found if name)
    plain = (DEFAULT_ACCOUNT, STORAGE_ACCOUNT_PLACEHOLDER, *storage.real)
    for name in names:
        if name not in plain:
            near = nearest(name, storage.real)
            meant = f" (did you mean {near}?)" if near else ""
            place = storage.accounts(state).root / name
            yield f"account {name} has no table in bai.toml{meant}: it is the folder {place}"
