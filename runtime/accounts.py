"""Storage accounts, and their addresses.

Most accounts are folders: a share is `ACCOUNT/files/SHARE` there, a container
`ACCOUNT/blobs/CONTAINER`. Others are real: runtime/account_settings.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.runtime.account_settings import AccountSettings
from bai.runtime.errors import StorageError
from bai.specs.names import nearest, suggestion

DEFAULT_ACCOUNT = "default"
"""The account of mounts that name none."""
FOLDERS: Final = {"azureFile": "files", "azureBlob": "blobs"}
"""Scheme of an address -> folder of the shares, or containers, in an account's."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where something is in a storage account."""

    scheme: str
    account: str
    path: str
    """SHARE/PATH; '' for all shares, or containers, of the account."""

    @property
    def share(self) -> str:
        """The name of the share or container; '' for all of them."""
        return self.path.partition("/")[0]

    @property
    def depth(self) -> int:
        """How deep in the account: 0 for all shares, 1 for one."""
        return len(PurePosixPath(self.path).parts)

    def __str__(self) -> str:
        place = "" if self.account == DEFAULT_ACCOUNT else f"//{self.account}/"
        return f"{self.scheme}:{place}{self.path}"


@dataclass(frozen=True, slots=True)
class Accounts:
    """The storage accounts of a context."""

    root: Path
    """The folder of the accounts that are folders."""
    real: Mapping[str, AccountSettings] = field(default_factory=dict)
    """Name -> account that is none."""

    def folder(self, scheme: str, account: str, path: str) -> Path:
        """Return the folder of an Azure file share (and a directory in it), or of a container.

        Raises:
            StorageError: the name leads out of its account.
        """
        folder = self.root / _account(account) / FOLDERS[scheme]
        if not (folder / path).resolve().is_relative_to(folder.resolve()):
            raise StorageError(f"{path!r} leads out of the storage account")
        return folder / path

    def address(self, scheme: str, account: str, path: str) -> str:
        """Return the shortest address of a path: `azureFile:SHARE/...` in the default account."""
        return str(Address(scheme, _account(account), path))


def is_address(name: str) -> bool:
    """Return whether a name is an address in a storage account, maybe a misspelt one."""
    scheme, colon, _ = name.partition(":")
    return scheme in FOLDERS or bool(colon and nearest(scheme, FOLDERS))


def parse_address(url: str) -> Address:
    """Return the address in a text, whether anything is there or not.

    Raises:
        StorageError: it is none, or leads out of its account.
    """
    scheme, colon, rest = url.partition(":")
    if not colon or scheme not in FOLDERS:
        hint = suggestion(scheme, FOLDERS) if colon else "azureFile:SHARE/PATH"
        raise StorageError(f"{url!r} is no address in a storage account ({hint})")
    account, path = DEFAULT_ACCOUNT, rest
    if rest.startswith("//"):
        account, _, path = rest[2:].partition("/")
    below = PurePosixPath(os.path.normpath(path.strip("/")))
    if ".." in below.parts:
        raise StorageError(f"{path!r} leads out of the storage account")
    return Address(scheme, _account(account or DEFAULT_ACCOUNT), "/".join(below.parts))


@contextmanager
def explained(action: str) -> Iterator[None]:
    """Say what could not be done, in one sentence."""
    try:
        yield
    except BrokenPipeError:
        # It is the reader of our own output that went away.
        raise
    except (OSError, RuntimeError) as error:
        # pathlib says by a RuntimeError that links lead in a circle.
        reason = getattr(error, "strerror", None) or error
        raise StorageError(f"can't {action}: {reason}") from None


def _account(name: str) -> str:
    if name == STORAGE_ACCOUNT_PLACEHOLDER:
        return DEFAULT_ACCOUNT
    if "/" in name or name in ("", ".", ".."):
        raise StorageError(f"{name!r} is no storage account's name")
    return name
