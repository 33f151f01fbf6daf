"""The storage accounts of a context: what is in them is listed, copied, compared, removed."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from bai.runtime.accounts import FOLDERS, Accounts, Address, explained, is_address, parse_address
from bai.runtime.entries import Entry
from bai.runtime.errors import FolderError, InUseError, StorageError
from bai.runtime.storage.comparing import Differences, Synced, compare, remove_extra
from bai.runtime.storage.copying import Copied, Copier, Item, Watch
from bai.runtime.storage.files import Files, Uncopied
from bai.runtime.storage.folders import FolderFiles, obstacle
from bai.runtime.storage.missing import nothing_at
from bai.runtime.storage.place import Place
from bai.runtime.storage.wildcards import has_wildcard, matches


@dataclass(frozen=True, slots=True)
class Storage(Accounts):
    """The storage accounts of a context, and what is in them."""

    users: Callable[[Path], Mapping[str, str]] | None = None
    """Returns the jobs that use a folder and have not ended, name -> state; None: unknown."""
    _opened: dict[str, Files] = field(default_factory=dict, repr=False, compare=False)
    """Services of real accounts that were used, by scheme and name."""

    def is_share(self, url: str) -> bool:
        """Return whether an address is that of a whole share or container, which exists.

        Raises:
            StorageError: it is no address of a storage account.
        """
        with explained(f"use {url}"):
            place = self.locate(url)
            return place.depth == 1 and place.is_folder()

    def users_of(self, url: str) -> Mapping[str, str]:
        """Return the jobs that use what is in a folder and have not ended: name -> state.

        Of the containers of a real account this is not known.

        Raises:
            StorageError: it is no address of a storage account.
        """
        with explained(f"use {url}"):
            path = self.find(url).on_disk
            # Only a link itself is removed, not its target.
            is_folder = path and path.is_dir() and not path.is_symlink()
            return self.users(path) if path and self.users and is_folder else {}

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

    def entries(self, url: str, *, recursive: bool = False) -> Iterator[Entry]:
        """Iterate over what is in a folder, by name; over the one file if it is one.

        Args:
            url: the folder's address.
            recursive: whether to go into the folders in it. Links are listed, and not followed.

        Raises:
            StorageError: there is nothing, or it can't be read.
        """
        with explained(f"list {url}"):
            place = self.locate(url)
            found = place.stat()
            if found is None or _leads_nowhere(place):
                raise StorageError(self._nothing_at(place))
            if not found.is_directory:
                yield found
            elif (path := place.on_disk) is None or path.is_dir():
                yield from place.files.entries(place.path, recursive=recursive)

    def copy(
        self, source: str, target: str, *, recursive: bool = False, watch: Watch | None = None
    ) -> Copied:
        """Copy between this machine and a storage account, inside one, or from one to another.

        A target that is a folder, or ends with `/`, gets the source under its own name; so does a
        share that does not exist yet, from a file. Where nothing has the name of the source in an
        account, `*`, `?` and `[abc]` in it stand for parts of names, and the target is the folder
        for all that fit. Links are copied as what they lead to; what in a folder can't be copied
        is left out, and is in the result.

        Args:
            source: a path on this machine, or an address in a storage account.
            target: the same.
            recursive: whether also a folder.
            watch: called with the progress.

        Raises:
            StorageError: the source is missing, no file, or a folder without `recursive`; or the
                target can't be written. Nothing has been copied, unless its disk became full or an
                account could not be used any more.
        """
        with explained(f"copy {source} to {target}"):
            origin = self.find(source)
            found = origin.stat()
            if found is None and origin.address and has_wildcard(origin.path):
                return self._copy_matches(origin, target, recursive=recursive, watch=watch)
            if found is None or _leads_nowhere(origin):
                path = origin.on_disk
                broken = obstacle(path) if path and path.is_symlink() else None
                raise StorageError(
                    f"can't copy {source}: it is {broken}" if broken else self._nothing_at(origin)
                )
            if found.is_directory and not recursive:
                raise FolderError(source, "copies")
            name = found.name or Path(source).resolve().name
            goal = self.goal(target, name, is_folder=found.is_directory)
            if found.is_directory and origin.holds(goal):
                raise StorageError(
                    f"can't copy {source} to {target}: that is in the folder itself "
                    f"({goal.files.shown(goal.path)})"
                )
            copier, created = Copier(origin.files, goal.files, watch), goal.new_share()
            try:
                if found.is_directory:
                    contents = list(origin.contents(goal))
                    goal.files.make_folder(goal.path, is_empty=not contents)
                    return replace(copier.copy(contents), created=created)
                goal.files.make_folder(posixpath.dirname(goal.path), is_empty=False)
                copier.copy_file(Item(found, origin.path, goal.path))
            except StorageError as error:
                raise type(error)(f"can't copy {source} to {target}: {error}") from None
            return Copied(1, created=created)

    def _copy_matches(
        self, pattern: Place, target: str, *, recursive: bool, watch: Watch | None
    ) -> Copied:
        """Copy all that a pattern stands for into a folder.

        Raises:
            StorageError: nothing fits, a folder does without `recursive`, two have one name, or
                the target can't be written.
        """
        goal, found = self.find(target), matches(pattern)
        folders = [place for place, entry in found.values() if entry.is_directory]
        if folders and not recursive:
            raise FolderError(folders[0].files.shown(folders[0].path), "copies")
        if goal.depth == 0 and len(folders) < len(found):
            raise StorageError(f"{target} names no share: files are in shares and containers")
        there = goal.stat()
        if there and not there.is_directory:
            raise StorageError(f"{target} is a file: what fits {pattern.name} goes into a folder")
        items: list[Item | Uncopied] = []
        for name, (place, entry) in found.items():
            items.append(Item(entry, place.path, goal.below(name).path))
            if entry.is_directory:
                items += place.contents(goal.below(name))
        created = goal.new_share()
        goal.files.make_folder(goal.path, is_empty=False)
        copied = Copier(pattern.files, goal.files, watch).copy(items)
        return replace(copied, created=created)

    def compare(self, source: str, target: str, *, delete: bool = False) -> Differences:
        """Return how a folder differs from another one: what `sync` would copy and remove.

        Args:
            source: the folder, on this machine or in a storage account.
            target: the other one, which need not exist.
            delete: whether to look for what is in the target alone.

        Raises:
            StorageError: one of them is a file, they are in one another, or can't be read.
        """
        with explained(f"compare {source} with {target}"):
            origin, goal = self.find(source), self.find(target)
            found, there = origin.stat(), goal.stat()
            if found is None or _leads_nowhere(origin):
                raise StorageError(self._nothing_at(origin))
            for name, entry in ((source, found), (target, there)):
                if entry and not entry.is_directory:
                    raise StorageError(f"{name} is a file: only folders are synchronised")
            if goal.depth == 0:
                raise StorageError(f"{target} names no share: files are in shares and containers")
            if origin.holds(goal) or goal.holds(origin):
                raise StorageError(f"{source} and {target} are in one another")
            return compare(origin, goal, extra=delete)

    def sync(
        self,
        source: str,
        target: str,
        *,
        delete: bool = False,
        in_use: bool = False,
        watch: Watch | None = None,
    ) -> Synced:
        """Make a folder like another one: copy what differs by its size or its checksum.

        Args:
            source: the folder, on this machine or in a storage account.
            target: the one to change, which need not exist.
            delete: whether to remove what is in the target alone.
            in_use: whether also from a folder that jobs use which have not ended.
            watch: called with the progress.

        Raises:
            InUseError: such jobs use it.
            StorageError: one of them is a file, or can't be read or written.
        """
        differences = self.compare(source, target, delete=delete)
        if differences.extra and not in_use and (users := self.users_of(target)):
            raise InUseError(target, users)
        return self.carry_out(differences, watch=watch)

    def carry_out(self, differences: Differences, *, watch: Watch | None = None) -> Synced:
        """Make a folder like the one that it was compared with.

        Args:
            differences: what to copy and to remove.
            watch: called with the progress.

        Raises:
            StorageError: something can't be removed, or nothing be written.
        """
        origin, goal = differences.source, differences.target
        with explained(f"synchronise {origin.name} to {goal.name}"):
            # What is in the way of a copy goes first.
            removed = remove_extra(differences)
            created = goal.new_share()
            goal.files.make_folder(goal.path, is_empty=not differences.copies)
            copied = Copier(origin.files, goal.files, watch).copy(differences.copies)
            return Synced(replace(copied, created=created), removed, differences.unchanged)

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

    def read(self, url: str, into: BinaryIO) -> None:
        """Copy the content of a file.

        Raises:
            StorageError: there is no such file, or it can't be read.
        """
        with explained(f"read {url}"):
            place = self.locate(url)
            found = place.stat()
            if found is None:
                raise StorageError(self._nothing_at(place))
            if found.is_directory:
                raise StorageError(f"{url} is a folder: only a file can be read")
            place.files.read(place.path, into)

    def write(self, url: str, content: BinaryIO) -> str | None:
        """Make a file, or replace it, once all of its content has come.

        Returns:
            The address of the share, or container, that was made for it; None if it was there.

        Raises:
            StorageError: the address is a folder's, or the file can't be written.
        """
        with explained(f"write {url}"):
            place = self.locate(url)
            if url.endswith("/") or (place.depth or 0) < 2 or place.is_folder():
                raise StorageError(f"{url} is a folder: say the file's name, too")
            created = place.new_share()
            place.files.make_folder(posixpath.dirname(place.path), is_empty=False)
            place.files.write(place.path, content, lambda _: None)
            return created

    def remove(self, url: str, *, recursive: bool = False, in_use: bool = False) -> None:
        """Remove a file, a link, or a folder with all in it.

        Args:
            url: its address.
            recursive: whether also a folder.
            in_use: whether also a folder that jobs use which have not ended.

        Raises:
            InUseError: such jobs use it.
            StorageError: there is nothing, a folder without `recursive`, or all of an account.
        """
        with explained(f"remove {url}"):
            place = self.locate(url)
            found = place.stat()
            if place.depth == 0:
                raise StorageError(f"{url} names no share: remove them one by one")
            if found is None:
                raise StorageError(self._nothing_at(place))
            path = place.on_disk
            if not found.is_directory or (path and path.is_symlink()):
                place.files.remove(place.path)
            elif not recursive:
                raise FolderError(url, "removes")
            elif not in_use and (users := self.users_of(url)):
                raise InUseError(url, users)
            else:
                place.files.remove_folder(place.path)

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
            return FolderFiles(self.root / at.account / FOLDERS[at.scheme])
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


def _leads_nowhere(place: Place) -> bool:
    """Return whether a place is a link to nothing."""
    return (path := place.on_disk) is not None and not path.exists()
