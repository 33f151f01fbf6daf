"""The files in storage accounts: listed, copied, read, written, removed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from bai.runtime.accounts import Accounts, Place, explained
from bai.runtime.copying import Copied, Watch, copy_file, copy_folder, obstacle
from bai.runtime.entries import Entry
from bai.runtime.errors import FolderError, InUseError, StorageError
from bai.specs.replacing import replaced


@dataclass(frozen=True, slots=True)
class Storage(Accounts):
    """The storage accounts of a context, and what is in them."""

    users: Callable[[Path], Mapping[str, str]] | None = None
    """Returns the jobs that use a folder and have not ended, name -> state; None: unknown."""

    def resolve(self, url: str) -> Path:
        """Return the path behind `azureFile://ACCOUNT/SHARE/...` or `azureFile:SHARE/...`.

        Raises:
            StorageError: it is no address of a storage account.
        """
        with explained(f"use {url}"):
            place = self.locate(url)
            place.check(place.path)
            return place.path

    def is_share(self, url: str) -> bool:
        """Return whether an address is that of a whole share or container, which exists.

        Raises:
            StorageError: it is no address of a storage account.
        """
        with explained(f"use {url}"):
            place = self.locate(url)
            return place.depth == 1 and place.path.is_dir()

    def users_of(self, url: str) -> Mapping[str, str]:
        """Return the jobs that use what is in a folder and have not ended: name -> state.

        Raises:
            StorageError: it is no address of a storage account.
        """
        with explained(f"use {url}"):
            path = self.locate(url).path
            # Only a link itself is removed, not its target.
            is_folder = path.is_dir() and not path.is_symlink()
            return self.users(path) if self.users and is_folder else {}

    def entries(self, url: str, *, recursive: bool = False) -> Iterator[Entry]:
        """Iterate over what is in a folder, by name; over the one file if it is one.

        Args:
            url: the folder's address.
            recursive: whether to go into the folders in it. Links are listed, and not followed.

        Raises:
            StorageError: there is nothing, or it can't be read.
        """
        path = self.resolve(url)
        with explained(f"list {url}"):
            if not path.exists():
                raise StorageError(self.nothing_at(url))
            if path.is_dir():
                found = [_entry(each, path) for each in _below(path, recursive=recursive)]
            else:
                found = [_entry(path, path.parent)]
        yield from found

    def copy(
        self, source: str, target: str, *, recursive: bool = False, watch: Watch | None = None
    ) -> Copied:
        """Copy between this machine and a storage account, or inside one.

        A target that is a folder, or ends with `/`, gets the source under its own name; so does a
        share that does not exist yet, from a file. Links are copied as what they lead to; what in
        a folder can't be copied is left out, and is in the result.

        Args:
            source: a path on this machine, or an address in a storage account.
            target: the same.
            recursive: whether also a folder.
            watch: called with the progress.

        Raises:
            StorageError: the source is missing, no file, or a folder without `recursive`; or the
                target can't be written. Nothing has been copied, unless its disk became full.
        """
        with explained(f"copy {source} to {target}"):
            origin, goal = self.find(source), self.find(target)
            origin.check(origin.path)
            goal.check(goal.path)
            if not origin.path.exists():
                broken = obstacle(origin.path) if origin.path.is_symlink() else None
                raise StorageError(
                    f"can't copy {source}: it is {broken}" if broken else self.nothing_at(source)
                )
            is_folder = origin.path.is_dir()
            if is_folder and not recursive:
                raise FolderError(source, "copies")
            goal = self.goal(target, origin.path.name, is_folder=is_folder)
            if is_folder and goal.path.resolve().is_relative_to(origin.path.resolve()):
                raise StorageError(
                    f"can't copy {source} to {target}: that is in the folder itself ({goal.path})"
                )
            try:
                if is_folder:
                    goal.check(goal.path)
                    return copy_folder(origin, goal, watch)
                goal.check(goal.path.parent)
                copy_file(origin.path, goal.path, watch)
            except StorageError as error:
                raise StorageError(f"can't copy {source} to {target}: {error}") from None
            return Copied(1)

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
        if place.path.is_dir() or target.endswith("/") or shallow:
            place = replace(place, path=place.path / name)
        return place

    def read(self, url: str, into: BinaryIO) -> None:
        """Copy the content of a file.

        Raises:
            StorageError: there is no such file, or it can't be read.
        """
        path = self.resolve(url)
        if path.is_dir():
            raise StorageError(f"{url} is a folder: only a file can be read")
        with explained(f"read {url}"):
            file = path.open("rb")
        with file:
            shutil.copyfileobj(file, into)

    def write(self, url: str, content: BinaryIO) -> None:
        """Make a file, or replace it, once all of its content has come.

        Raises:
            StorageError: the address is a folder's, or the file can't be written.
        """
        with explained(f"write {url}"):
            place = self.locate(url)
            place.check(place.path)
            if url.endswith("/") or (place.depth or 0) < 2 or place.path.is_dir():
                raise StorageError(f"{url} is a folder: say the file's name, too")
            place.path.parent.mkdir(parents=True, exist_ok=True)
            with replaced(place.path) as written, written.open("wb") as file:
                shutil.copyfileobj(content, file)

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
            path = place.path
            # A link is removed, not what it leads to: that may be anywhere.
            place.check(path.parent if path.is_symlink() else path)
            if place.depth == 0:
                raise StorageError(f"{url} names no share: remove them one by one")
            if not (path.exists() or path.is_symlink()):
                raise StorageError(self.nothing_at(url))
            if path.is_symlink() or not path.is_dir():
                path.unlink()
            elif not recursive:
                raise FolderError(url, "removes")
            elif not in_use and (users := self.users_of(url)):
                raise InUseError(url, users)
            else:
                shutil.rmtree(path)


def _below(folder: Path, *, recursive: bool) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        yield path
        # A link may lead in a circle, or out of the account.
        if recursive and path.is_dir() and not path.is_symlink():
            yield from _below(path, recursive=True)


def _entry(path: Path, listed: Path) -> Entry:
    # A link to nothing is listed as what it is itself.
    stat = path.stat() if path.exists() else path.lstat()
    size = 0 if path.is_dir() else stat.st_size
    name = path.relative_to(listed).as_posix()
    return Entry(name, path.is_dir(), size, datetime.fromtimestamp(stat.st_mtime, UTC))
