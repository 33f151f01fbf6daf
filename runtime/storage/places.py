"""The places in storage accounts and on this machine, by their names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bai.runtime.accounts import FOLDERS, Accounts, Address, explained, is_address, parse_address
from bai.runtime.entries import Entry
from bai.runtime.errors import StorageError
from bai.runtime.storage.files import Files
from bai.runtime.storage.folders import FolderFiles, obstacle
from bai.runtime.storage.missing import nothing_at
from bai.runtime.storage.place import Place
from bai.runtime.storage.wildcards import has_wildcard, matches


@dataclass(frozen=True, slots=True)
class Places(Accounts):
    """Finds what names stand for: addresses in accounts, and paths on this machine."""

    _opened: dict[str, Files] = field(default_factory=dict, repr=False, compare=False)
    """Services of real accounts that were used, by scheme and name."""

    def find(self, name: str) -> Place:
        """Return the place behind an address in an account, or behind a path on this machine.

        Raises:
            StorageError: an address is misspelt, or leads out of its account.
        """
        return self.locate(name) if is_address(name) else Place(name, FolderFiles(), name)

    def locate(self, url: str) -> Place:
        """Return the place behind an address in an account, whether anything is there or not.

        Raises:
            StorageError: it is no address, or leads out of its account.
        """
        at = parse_address(url)
        return Place(url, self._files(at), at.path, at)

    def _files(self, at: Address) -> Files:
        """Return the files of the account that an address is in.

        Raises:
            StorageError: bai can't reach them.
        """
        account = self.real.get(at.account)
        if account is None:
            folder = self.root / at.account / FOLDERS[at.scheme]
            return FolderFiles(folder, replace(at, path=""))
        key = f"{at.scheme}:{at.account}"
        if key not in self._opened:
            if at.scheme == "azureBlob":
                from bai.runtime.storage.blobs import BlobFiles

                self._opened[key] = BlobFiles(account)
            else:
                from bai.runtime.storage.shares import ShareFiles

                self._opened[key] = ShareFiles(account)
        return self._opened[key]

    def _nothing_at(self, place: Place) -> str:
        known = self.all_shares()
        if place.address and place.address.account in self.real:
            known = self.shares(place.name)
        return nothing_at(place, known)

    def all_shares(self) -> list[str]:
        """Return the addresses of the shares and containers of all accounts that are folders.

        Raises:
            StorageError: they can't be read.
        """
        with explained("list the storage accounts"):
            return [
                self.address(scheme, path.parts[-3], path.name)
                for scheme, folder in FOLDERS.items()
                for path in sorted(self.root.glob(f"*/{folder}/*"))
            ]

    def shares(self, url: str) -> list[str]:
        """Return the addresses of all shares, or containers, of the account of an address.

        Raises:
            StorageError: it is no address, or the account can't be read.
        """
        with explained(f"list the shares of {url}"):
            at = parse_address(url)
            account = Place(url, self._files(at), "", at)
            if (path := account.on_disk) and not path.is_dir():
                return []
            names = account.files.entries("", recursive=False)
            return [str(replace(at, path=each.name)) for each in names]

    def _sources(self, source: str) -> list[tuple[Place, Entry]]:
        """Return what a name stands for that is to be copied.

        Raises:
            StorageError: there is nothing to copy.
        """
        place = self.find(source)
        found = place.stat()
        if found is None and has_wildcard(place.path):
            return matches(place)
        return [(place, self._checked(place, found))]

    def _checked(self, source: Place, found: Entry | None) -> Entry:
        """Return what was found at a place, if that can be copied.

        Raises:
            StorageError: there is nothing, or a link that leads nowhere.
        """
        if found is not None and not source.leads_nowhere:
            return found
        path = source.on_disk
        if broken := obstacle(path) if path and path.is_symlink() else None:
            raise StorageError(f"can't copy {source.name}: it is {broken}")
        raise StorageError(self._nothing_at(source))

    def goal(self, target: str, name: str, *, is_folder: bool) -> Place:
        """Return where a copy goes.

        Args:
            target: the path or the address that it is copied to.
            name: what the copy is called in a folder.
            is_folder: whether it is a folder.

        Raises:
            StorageError: it is no place for a file, or leads out of a storage account.
        """
        place = self.find(target)
        if not is_folder and place.depth == 0:
            raise StorageError(f"{target} names no share: files are in shares and containers")
        shallow = place.depth == 0 or (place.depth == 1 and not is_folder)
        if shallow or target.endswith("/") or place.is_folder():
            place = place.below(name)
        return place

    def _removed(self, url: str) -> list[tuple[Place, Entry]]:
        """Return what an address stands for that is to be removed.

        Raises:
            StorageError: there is nothing, or it is all of an account.
        """
        place = self.locate(url)
        found = place.stat()
        if place.depth == 0:
            raise StorageError(f"{url} names no share: remove them one by one")
        if found is not None:
            return [(place, found)]
        if has_wildcard(place.path):
            return matches(place)
        raise StorageError(self._nothing_at(place))
