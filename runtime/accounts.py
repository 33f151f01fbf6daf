"""Storage accounts as folders, and their addresses.

A share is `ACCOUNT/files/SHARE`, a container `ACCOUNT/blobs/CONTAINER`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.runtime.errors import StorageError
from bai.specs.names import nearest, suggestion

DEFAULT_ACCOUNT = "default"
"""The account of mounts that name none."""

_ALIKE = 0.7
"""How alike names of files are of which one is a slip: more than by their ends."""
_LISTED = 8
"""How many shares a message names."""
_FOLDERS = {"azureFile": "files", "azureBlob": "blobs"}


@dataclass(frozen=True, slots=True)
class Place:
    """A path, in a storage account or on this machine."""

    path: Path
    account: Path | None = None
    """Folder of all shares, or of all containers, that nothing leads out of."""

    @property
    def depth(self) -> int | None:
        """How deep in the account: 0 for all shares, 1 for one; None on this machine."""
        return len(self.path.relative_to(self.account).parts) if self.account else None

    def holds(self, path: Path) -> bool:
        """Return whether a path of this place is in the account, through links as well."""
        return self.account is None or path.resolve().is_relative_to(self.account.resolve())

    def check(self, path: Path) -> None:
        """Check that the place holds a path.

        Raises:
            StorageError: it does not.
        """
        if self.account is not None and not self.holds(path):
            raise StorageError(
                f"{str(path.relative_to(self.account))!r} leads out of the storage account"
            )


@dataclass(frozen=True, slots=True)
class Accounts:
    """The storage accounts of a context."""

    root: Path

    def folder(self, scheme: str, account: str, path: str) -> Path:
        """Return the folder of an Azure file share (and a directory in it), or of a container.

        Raises:
            StorageError: the name leads out of its account.
        """
        folder = self.root / _account(account) / _FOLDERS[scheme]
        Place(folder, folder).check(folder / path)
        return folder / path

    def address(self, scheme: str, account: str, path: str) -> str:
        """Return the shortest address of a path: `azureFile:SHARE/...` in the default account."""
        account = _account(account)
        place = "" if account == DEFAULT_ACCOUNT else f"//{account}/"
        return f"{scheme}:{place}{path}"

    def shares(self, name: str) -> frozenset[str]:
        """Return the addresses of all shares, or containers, of the account that a place is in.

        Args:
            name: an address in a storage account; of a path on this machine there are none.

        Raises:
            StorageError: it is no address, or the account can't be read.
        """
        with explained(f"list the shares of {name}"):
            place = self.find(name)
            if place.account is None or not place.account.is_dir():
                return frozenset()
            scheme, account = name.partition(":")[0], place.account.parent.name
            return frozenset(
                self.address(scheme, account, path.name) for path in place.account.iterdir()
            )

    def all_shares(self) -> list[str]:
        """Return the addresses of the shares and containers of all accounts, by account.

        Raises:
            StorageError: they can't be read.
        """
        with explained("list the storage accounts"):
            return [address for scheme in _FOLDERS for address in self._shares(scheme)]

    def nothing_at(self, name: str) -> str:
        """Return the sentence for an address or a path where nothing is, with what may be meant."""
        place = self.find(name)
        if place.account is None:
            return f"there is nothing at {name}"
        scheme, account = name.partition(":")[0], place.account.parent.name
        share, *below = place.path.relative_to(place.account).parts or ("",)
        if below and (place.account / share).is_dir():
            near = _nearest_below(place.account / share, below)
            meant = self.address(scheme, account, f"{share}/{near}")
            return f"there is nothing at {name}" + (f" (did you mean {meant}?)" if near else "")
        known = self._shares(scheme)
        names = {share_name(address): address for address in reversed(known)}
        if near := nearest(share, names):
            hint = f"did you mean {'/'.join([names[near], *below])}?"
        else:
            more = f", and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
            listed = ", ".join(known[:_LISTED])
            hint = f"there is: {listed}{more}" if known else "no account has any"
        return f"there is nothing at {name} in the account {account} ({hint})"

    def _shares(self, scheme: str) -> list[str]:
        """Return the addresses of all shares, or of all containers, of all accounts."""
        found = sorted(self.root.glob(f"*/{_FOLDERS[scheme]}/*"))
        return [self.address(scheme, path.parts[-3], path.name) for path in found]

    def find(self, name: str) -> Place:
        """Return the place behind an address in an account, or behind a path on this machine.

        Raises:
            StorageError: an address is misspelt, or leads out of its account.
        """
        scheme, colon, _ = name.partition(":")
        if scheme in _FOLDERS or (colon and nearest(scheme, _FOLDERS)):
            return self.locate(name)
        return Place(Path(name))

    def locate(self, url: str) -> Place:
        """Return the place behind an address in an account, whether anything is there or not.

        Raises:
            StorageError: it is no address, or leads out of its account.
        """
        scheme, colon, rest = url.partition(":")
        if not colon or scheme not in _FOLDERS:
            hint = suggestion(scheme, _FOLDERS) if colon else "azureFile:SHARE/PATH"
            raise StorageError(f"{url!r} is no address in a storage account ({hint})")
        account, path = DEFAULT_ACCOUNT, rest
        if rest.startswith("//"):
            account, _, path = rest[2:].partition("/")
        folder = self.root / _account(account or DEFAULT_ACCOUNT) / _FOLDERS[scheme]
        below = Path(os.path.normpath(path.strip("/")))
        if ".." in below.parts:
            raise StorageError(f"{path!r} leads out of the storage account")
        return Place(folder / below, folder)


@contextmanager
def explained(action: str) -> Iterator[None]:
    """Say what could not be done, in one sentence."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        # pathlib says by a RuntimeError that links lead in a circle.
        reason = getattr(error, "strerror", None) or error
        raise StorageError(f"can't {action}: {reason}") from None


def share_name(address: str) -> str:
    """Return the name of the share, or container, of an address of one."""
    return address.replace(":", "/").rpartition("/")[2]


def _nearest_below(folder: Path, parts: Sequence[str]) -> str | None:
    """Return the path that is there and that a path in a folder most likely stands for, or None."""
    found: list[str] = []
    for part in parts:
        here = folder.joinpath(*found)
        names = [each.name for each in here.iterdir()] if here.is_dir() else []
        if not (near := nearest(part, names, cutoff=_ALIKE)):
            return None
        found.append(near)
    return "/".join(found)


def _account(name: str) -> str:
    if name == STORAGE_ACCOUNT_PLACEHOLDER:
        return DEFAULT_ACCOUNT
    if "/" in name or name in ("", ".", ".."):
        raise StorageError(f"{name!r} is no storage account's name")
    return name
