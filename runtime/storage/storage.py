"""The storage accounts of a context: what is in them is listed, copied, compared, removed."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from bai.runtime.accounts import explained
from bai.runtime.entries import Entry
from bai.runtime.errors import FolderError, InUseError, StorageError
from bai.runtime.storage.files import Item
from bai.runtime.storage.places import Places
from bai.runtime.storage.wildcards import has_wildcard, listed, matches

if TYPE_CHECKING:
    # Imported where they are used: to list files takes none of them.
    from bai.runtime.storage.comparing import Differences, Synced
    from bai.runtime.storage.copying import Copied, Watch


@dataclass(frozen=True, slots=True)
class Storage(Places):
    """The storage accounts of a context, and what is in them."""

    users: Callable[[Path], Mapping[str, str]] | None = None
    """Returns the jobs that use a folder and have not ended, name -> state; None: unknown."""

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

    def entries(self, url: str, *, recursive: bool = False) -> Iterator[Entry]:
        """Iterate over what is in a folder, by name; over the one file if it is one.

        Args:
            url: the folder's address. Where nothing has it, `*`, `?` and `[abc]` stand for parts of
                names, and what fits is listed, with its path from the last folder without them.
            recursive: whether to go into the folders in it. Links are listed, and not followed.

        Raises:
            StorageError: there is nothing, or it can't be read.
        """
        with explained(f"list {url}"):
            place = self.locate(url)
            found = place.stat()
            if found is None and has_wildcard(place.path):
                yield from listed(place, recursive=recursive)
                return
            if found is None or place.leads_nowhere:
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
        share that does not exist yet, from a file. Where nothing has the name of the source, `*`,
        `?` and `[abc]` in it stand for parts of names, and the target is the folder for all that
        fit. Links are copied as what they lead to; what in a folder can't be copied is left out,
        and is in the result.

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
        from bai.runtime.storage.copying import Copied, Copier
        from bai.runtime.storage.several import copy_into

        with explained(f"copy {source} to {target}"):
            origin = self.find(source)
            found = origin.stat()
            if found is None and has_wildcard(origin.path):
                goal = self.find(target)
                return copy_into(matches(origin), goal, recursive=recursive, watch=watch)
            found = self._checked(origin, found)
            if found.is_directory and not recursive:
                raise FolderError(source, "copies")
            goal = self.goal(target, origin.own_name(found), is_folder=found.is_directory)
            if found.is_directory and origin.holds(goal):
                raise StorageError(
                    f"can't copy {source} to {target}: that is in the folder itself ({goal.shown})"
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

    def copy_all(
        self,
        sources: Sequence[str],
        target: str,
        *,
        recursive: bool = False,
        watch: Watch | None = None,
    ) -> Copied:
        """Copy several files and folders into a folder, each under its own name.

        Args:
            sources: paths on this machine, and addresses in storage accounts; with wildcards as for
                `copy`.
            target: the folder, which need not exist.
            recursive: whether also folders.
            watch: called with the progress.

        Raises:
            StorageError: as for `copy`, or two have one name, or the target is a file.
        """
        from bai.runtime.storage.several import copy_into

        with explained(f"copy to {target}"):
            found = [each for source in sources for each in self._sources(source)]
            return copy_into(found, self.find(target), recursive=recursive, watch=watch)

    def compare(self, source: str, target: str, *, delete: bool = False) -> Differences:
        """Return how a folder differs from another one: what `sync` would copy and remove.

        Args:
            source: the folder, on this machine or in a storage account.
            target: the other one, which need not exist.
            delete: whether to look for what is in the target alone.

        Raises:
            StorageError: one of them is a file, they are in one another, or can't be read.
        """
        from bai.runtime.storage.comparing import compare

        with explained(f"compare {source} with {target}"):
            origin, goal = self.find(source), self.find(target)
            found, there = origin.stat(), goal.stat()
            if found is None or origin.leads_nowhere:
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
        from bai.runtime.storage.comparing import Synced, remove_extra
        from bai.runtime.storage.copying import Copier

        origin, goal = differences.source, differences.target
        with explained(f"synchronise {origin.name} to {goal.name}"):
            # What is in the way of a copy goes first.
            removed = remove_extra(differences)
            created = goal.new_share()
            goal.files.make_folder(goal.path, is_empty=not differences.copies)
            copied = Copier(origin.files, goal.files, watch).copy(differences.copies)
            return Synced(replace(copied, created=created), removed, differences.unchanged)

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

    def matching(self, url: str) -> list[str]:
        """Return the addresses that an address with wildcards stands for.

        Of one that something has, or that has no wildcards, it is that one.

        Raises:
            StorageError: it is no address, or nothing fits.
        """
        with explained(f"list {url}"):
            return [place.name for place, _ in self._removed(url)]

    def remove(self, url: str, *, recursive: bool = False, in_use: bool = False) -> None:
        """Remove a file, a link, or a folder with all in it; or all that wildcards stand for.

        Args:
            url: its address; where nothing has it, `*`, `?` and `[abc]` stand for parts of names.
            recursive: whether also a folder.
            in_use: whether also a folder that jobs use which have not ended.

        Raises:
            InUseError: such jobs use it.
            StorageError: there is nothing, a folder without `recursive`, or all of an account.
                Nothing is removed then.
        """
        for _ in self.remove_all([url], recursive=recursive, in_use=in_use):
            pass

    def remove_all(
        self, urls: Iterable[str], *, recursive: bool = False, in_use: bool = False
    ) -> Iterator[str]:
        """Remove what several addresses stand for, and iterate over what has been removed.

        Args, Raises: as for `remove`, before the first of all is removed.
        """
        with explained("remove files"):
            all_found = (each for url in urls for each in self._removed(url))
            found = list({place.name: (place, entry) for place, entry in all_found}.values())
            for place, entry in found:
                is_folder = entry.is_directory and not place.is_link
                if is_folder and not recursive:
                    raise FolderError(place.name, "removes")
                if is_folder and not in_use and (users := self.users_of(place.name)):
                    raise InUseError(place.name, users)
        for place, entry in found:
            with explained(f"remove {place.name}"):
                if entry.is_directory and not place.is_link:
                    place.files.remove_folder(place.path)
                else:
                    place.files.remove(place.path)
            yield place.name
