"""Storage accounts as folders: `ACCOUNT/files/SHARE` and `ACCOUNT/blobs/CONTAINER`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.runtime.errors import FolderError, StorageError
from bai.runtime.replacing import replaced
from bai.specs.names import nearest, suggestion

DEFAULT_ACCOUNT = "default"
"""The account of mounts that name none."""

_ALIKE = 0.7
"""How alike names of files are of which one is a slip: more than by their ends."""
_LISTED = 8
"""How many shares a message names."""
_FOLDERS = {"azureFile": "files", "azureBlob": "blobs"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder in a storage account."""

    name: str
    """Its path, from the folder that was listed."""
    is_directory: bool
    size: int
    """Bytes; 0 for a folder."""
    modified: datetime


@dataclass(frozen=True, slots=True)
class _Place:
    """A path, in a storage account or on this machine."""

    path: Path
    account: Path | None = None
    """Folder of all shares, or of all containers, that nothing leads out of."""

    @property
    def depth(self) -> int | None:
        """How deep in the account: 0 for all shares, 1 for one; None on this machine."""
        return len(self.path.relative_to(self.account).parts) if self.account else None

    def check(self, path: Path) -> None:
        """Check that a path of this place is in the account, through links as well.

        Raises:
            StorageError: it is not.
        """
        if self.account is not None and not path.resolve().is_relative_to(self.account.resolve()):
            raise StorageError(
                f"{str(path.relative_to(self.account))!r} leads out of the storage account"
            )


@dataclass(frozen=True, slots=True)
class Storage:
    """The storage accounts of a context."""

    root: Path

    def share(self, account: str, share: str) -> Path:
        """Return the folder of an Azure file share (and a directory in it)."""
        return _inside(self.root / _account(account) / "files", share)

    def container(self, account: str, container: str) -> Path:
        """Return the folder of a blob container."""
        return _inside(self.root / _account(account) / "blobs", container)

    def address(self, scheme: str, account: str, path: str) -> str:
        """Return the shortest address of a path: `azureFile:SHARE/...` in the default account."""
        account = _account(account)
        place = "" if account == DEFAULT_ACCOUNT else f"//{account}/"
        return f"{scheme}:{place}{path}"

    def resolve(self, url: str) -> Path:
        """Return the path behind `azureFile://ACCOUNT/SHARE/...` or `azureFile:SHARE/...`.

        Raises:
            StorageError: it is no address of a storage account.
        """
        with _explained(f"use {url}"):
            place = self._locate(url)
            place.check(place.path)
            return place.path

    def shares(self, name: str) -> frozenset[str]:
        """Return the addresses of all shares, or containers, of the account that a place is in.

        Args:
            name: an address in a storage account; of a path on this machine there are none.

        Raises:
            StorageError: it is no address, or the account can't be read.
        """
        with _explained(f"list the shares of {name}"):
            place = self._either(name)
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
        with _explained("list the storage accounts"):
            return [address for scheme in _FOLDERS for address in self._shares(scheme)]

    def is_share(self, url: str) -> bool:
        """Return whether an address is that of a whole share or container, which exists.

        Raises:
            StorageError: it is no address of a storage account.
        """
        with _explained(f"use {url}"):
            place = self._locate(url)
            return place.depth == 1 and place.path.is_dir()

    def entries(self, url: str, *, recursive: bool = False) -> Iterator[Entry]:
        """Iterate over what is in a folder, by name; over the one file if it is one.

        Args:
            url: the folder's address.
            recursive: whether to go into the folders in it. Links are listed, and not followed.

        Raises:
            StorageError: there is nothing, or it can't be read.
        """
        path = self.resolve(url)
        with _explained(f"list {url}"):
            if not path.exists():
                raise StorageError(self._nothing_at(url))
            if path.is_dir():
                found = [_entry(each, path) for each in _below(path, recursive=recursive)]
            else:
                found = [_entry(path, path.parent)]
        yield from found

    def copy(self, source: str, target: str, *, recursive: bool = False) -> int:
        """Copy between this machine and a storage account, or inside one.

        A target that is a folder, or ends with `/`, gets the source under its own name; so does a
        share that does not exist yet, from a file. Links are copied as what they lead to.

        Returns:
            The number of files copied.

        Raises:
            StorageError: the source is missing, or a folder without `recursive`; a link in it
                leads out of the account, to nothing or in a circle; or the target can't be
                written. Nothing has been copied, but for the last case.
        """
        with _explained(f"copy {source} to {target}"):
            origin, goal = self._either(source), self._either(target)
            origin.check(origin.path)
            goal.check(goal.path)
            if not origin.path.exists():
                raise StorageError(self._nothing_at(source))
            path = goal.path
            shallow = goal.depth == 0 or (goal.depth == 1 and not origin.path.is_dir())
            if path.is_dir() or target.endswith("/") or shallow:
                path = path / origin.path.name
            if origin.path.is_dir():
                if not recursive:
                    raise FolderError(source, "copies")
                if path.resolve().is_relative_to(origin.path.resolve()):
                    raise StorageError(f"{target} is inside {source}")
                files = {
                    file: path / file.relative_to(origin.path)
                    for file in _files(origin, origin.path)
                }
            elif goal.depth == 0:
                raise StorageError(f"{target} names no share: files are in shares and containers")
            else:
                files = {origin.path: path}
            for written in files.values():
                goal.check(written.parent)
            for file, written in files.items():
                _copy_file(file, written)
            return len(files)

    def read(self, url: str, into: BinaryIO) -> None:
        """Copy the content of a file.

        Raises:
            StorageError: there is no such file, or it can't be read.
        """
        path = self.resolve(url)
        if path.is_dir():
            raise StorageError(f"{url} is a folder: only a file can be read")
        with _explained(f"read {url}"):
            file = path.open("rb")
        with file:
            shutil.copyfileobj(file, into)

    def write(self, url: str, content: BinaryIO) -> None:
        """Make a file, or replace it, once all of its content has come.

        Raises:
            StorageError: the address is a folder's, or the file can't be written.
        """
        with _explained(f"write {url}"):
            place = self._locate(url)
            place.check(place.path)
            if url.endswith("/") or (place.depth or 0) < 2 or place.path.is_dir():
                raise StorageError(f"{url} is a folder: say the file's name, too")
            place.path.parent.mkdir(parents=True, exist_ok=True)
            with replaced(place.path) as written, written.open("wb") as file:
                shutil.copyfileobj(content, file)

    def remove(self, url: str, *, recursive: bool = False) -> None:
        """Remove a file, a link, or a folder with all in it.

        Raises:
            StorageError: there is nothing, a folder without `recursive`, or all of an account.
        """
        with _explained(f"remove {url}"):
            place = self._locate(url)
            path = place.path
            # A link is removed, not what it leads to: that may be anywhere.
            place.check(path.parent if path.is_symlink() else path)
            if place.depth == 0:
                raise StorageError(f"{url} names no share: remove them one by one")
            if path.is_symlink() or path.is_file():
                path.unlink()
            elif not path.exists():
                raise StorageError(self._nothing_at(url))
            elif path.is_dir() and not recursive:
                raise FolderError(url, "removes")
            else:
                shutil.rmtree(path)

    def _nothing_at(self, name: str) -> str:
        """Return the sentence for an address or a path where nothing is, with what may be meant."""
        place = self._either(name)
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

    def _either(self, name: str) -> _Place:
        if name.partition(":")[0] in _FOLDERS:
            return self._locate(name)
        return _Place(Path(name))

    def _locate(self, url: str) -> _Place:
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
        return _Place(folder / below, folder)


@contextmanager
def _explained(action: str) -> Iterator[None]:
    """Say what could not be done, in one sentence."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        # pathlib says by a RuntimeError that links lead in a circle.
        reason = getattr(error, "strerror", None) or error
        raise StorageError(f"can't {action}: {reason}") from None


def _inside(folder: Path, below: str) -> Path:
    place = _Place(folder / below, folder)
    place.check(place.path)
    return place.path


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


def _files(place: _Place, folder: Path, above: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """Iterate over the files below a folder, also over those that links lead to."""
    above |= {folder.resolve()}
    for path in sorted(folder.iterdir()):
        place.check(path)
        if not path.is_dir():
            if not path.is_file():
                raise StorageError(f"{path} is no file, folder or link to one: remove it first")
            yield path
        elif path.resolve() in above:
            raise StorageError(f"{path} is a link to a folder that it is in: remove it first")
        else:
            yield from _files(place, path, above)


def _account(name: str) -> str:
    if name == STORAGE_ACCOUNT_PLACEHOLDER:
        return DEFAULT_ACCOUNT
    if "/" in name or name in ("", ".", ".."):
        raise StorageError(f"{name!r} is no storage account's name")
    return name


def _copy_file(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with replaced(target) as written:
        shutil.copy2(source, written)
