"""What a context says of storage: its accounts, which of them are real, and its file servers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bai.runtime.account_settings import AccountSettings, load_accounts
from bai.runtime.accounts import Accounts
from bai.runtime.file_server_settings import FileServers, FileServerSettings, load_file_servers


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where the storage accounts of a context are."""

    folder: Path | None = None
    """Of the accounts that are folders; by default in the state folder."""
    real: Mapping[str, AccountSettings] = field(default_factory=dict)
    """Name -> account that is no folder."""
    mapped: Mapping[str, FileServerSettings] = field(default_factory=dict)
    """Name -> what stands for a file server."""

    def accounts(self, state: Path) -> Accounts:
        """Return the accounts of a state folder's jobs."""
        return Accounts(self.folder or state / "storage", self.real)

    def file_servers(self, state: Path) -> FileServers:
        """Return the file servers of a state folder's jobs."""
        return FileServers(file_servers_folder(state), self.mapped)

    def dumped(self) -> dict[str, Any]:
        """Return all values as JSON has them; `load_storage` makes settings of them."""
        return {
            "folder": self.folder and str(self.folder),
            "real": [account.dumped() for account in self.real.values()],
            "mapped": [server.dumped() for server in self.mapped.values()],
        }


def load_storage(kept: Mapping[str, Any]) -> StorageSettings:
    """Return the settings that `dumped` was asked of."""
    real = {account.name: account for account in load_accounts(kept["real"])}
    mapped = {server.name: server for server in load_file_servers(kept["mapped"])}
    return StorageSettings(kept["folder"] and Path(kept["folder"]), real, mapped)


def file_servers_folder(state: Path) -> Path:
    """Return the folder of a state folder that stands for the directories of file servers."""
    return state / "fileservers"
