"""File shares of real storage accounts, as SMB reaches them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from bai.runtime.account_settings import AccountSettings
from bai.runtime.errors import LaunchError
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.remote import login, submitted
from bai.specs.secrets import SecretRef

SMB: Final = "smb"
"""The name of the driver."""
_MODE: Final = "0777"
"""Azure's default, of files and of directories."""


@dataclass(frozen=True, slots=True)
class FileShare:
    """A file share of a real account, or a directory of one."""

    account: AccountSettings
    share: str
    """SHARE, or SHARE/PATH."""
    secret: SecretRef
    """Where the account's key lives."""
    file_mode: str = _MODE
    directory_mode: str = _MODE

    @property
    def marker(self) -> str:
        """What its secret is kept by."""
        return str(self.secret)

    @property
    def address(self) -> str:
        """What `bai storage` calls the share."""
        return f"azureFile://{self.account.name}/{self.share}"

    def mount(self, name: str, path: Path, cache: Path, secrets: Mapping[str, str]) -> Mount:
        """Return what makes the share appear."""
        host, port = self.account.smb_server
        return Mount(
            name,
            str(path),
            f"smb://{host}{f':{port}' if port else ''}/{self.share}",
            driver=SMB,
            cache=str(cache),
            user=self.account.name,
            secret=submitted(self, secrets),
            file_mode=self.file_mode,
            directory_mode=self.directory_mode,
        )


def share_of(entry: Mapping[str, Any], account: AccountSettings) -> FileShare:
    """Return the file share that a mount shows.

    Args:
        entry: the mount, in wire form.
        account: the account that it is in.

    Raises:
        LaunchError: nothing says how to log in to the account, or a directory leads out of its
            share.
    """
    share = urlsplit(entry["azureFileUrl"]).path.strip("/")
    if ".." in share.split("/"):
        raise LaunchError(f"{share!r} leads out of the storage account")
    if account.sas or account.identity:
        has = "sas" if account.sas else "identity"
        raise LaunchError(
            f"the file share {share} can be mounted with a key alone: "
            f"give the account {account.name} in bai.toml a key in place of {has}"
        )
    modes = entry.get("fileMode") or _MODE, entry.get("directoryMode") or _MODE
    return FileShare(account, share, login(entry, account), *modes)
