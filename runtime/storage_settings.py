"""What a context says of storage: the folder of its accounts, and which of them are real."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bai.runtime.account_settings import AccountSettings, load_accounts
from bai.runtime.accounts import Accounts


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where the storage accounts of a context are."""

    folder: Path | None = None
    """Of the accounts that are folders; by default in the state folder."""
    real: Mapping[str, AccountSettings] = field(default_factory=dict)
    """Name -> account that is no folder."""

    def accounts(self, state: Path) -> Accounts:
        """Return the accounts of a state folder's jobs."""
        return Accounts(self.folder or state / "storage", self.real)

    def dumped(self) -> dict[str, Any]:
        """Return all values as JSON has them; `load_storage` makes settings of them."""
        return {
            "folder": self.folder and str(self.folder),
            "real": [account.dumped() for account in self.real.values()],
        }


def load_storage(kept: Mapping[str, Any]) -> StorageSettings:
    """Return the settings that `dumped` was asked of."""
    real = {account.name: account for account in load_accounts(kept["real"])}
    return StorageSettings(kept["folder"] and Path(kept["folder"]), real)
