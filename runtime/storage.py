"""Storage accounts as folders: `ACCOUNT/files/SHARE` and `ACCOUNT/blobs/CONTAINER`."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.runtime.errors import StorageError
from bai.specs.names import suggestion

DEFAULT_ACCOUNT = "default"
"""The account of mounts that name none."""

_FOLDERS = {"azureFile": "files", "azureBlob": "blobs"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder in a storage account."""

    name: str
    is_directory: bool
    size: int
    """Bytes; 0 for a folder."""
    modified: datetime


@dataclass(frozen=True, slots=True)
class Storage:
    """The storage accounts of a context."""

    root: Path

    def share(self, account: str, share: str) -> Path:
        """Return the folder of an Azure file share (and a directory in it)."""
        return self._inside(self.root / _account(account) / "files", share)

    def container(self, account: str, container: str) -> Path:
        """Return the folder of a blob container."""
        return self._inside(self.root / _account(account) / "blobs", container)

    def resolve(self, url: str) -> Path:
        """Return the path behind `azureFile://ACCOUNT/SHARE/...` or `azureFile:SHARE/...`.

        Raises:
            StorageError: it is no address of a storage account.
        """
        scheme, colon, rest = url.partition(":")
        if not colon or scheme not in _FOLDERS:
            hint = suggestion(scheme, _FOLDERS) if colon else "azureFile:SHARE/PATH"
            raise StorageError(f"{url!r} is no address in a storage account ({hint})")
        account, path = DEFAULT_ACCOUNT, rest
        if rest.startswith("//"):
            account, _, path = rest[2:].partition("/")
        folder = self.root / _account(account or DEFAULT_ACCOUNT) / _FOLDERS[scheme]
        return self._inside(folder, path.strip("/"))

    def entries(self, url: str) -> Iterator[Entry]:
        """Iterate over what is in a folder, by name; over the one file if it is one.

        Raises:
            StorageError: there is nothing.
        """
        path = self.resolve(url)
        if not path.exists():
            raise StorageError(f"there is nothing at {url}")
        for each in sorted(path.iterdir()) if path.is_dir() else [path]:
            stat = each.stat()
            size = 0 if each.is_dir() else stat.st_size
            modified = datetime.fromtimestamp(stat.st_mtime, UTC)
            yield Entry(each.name, each.is_dir(), size, modified)

    def copy(self, source: str, target: str, *, recursive: bool = False) -> int:
        """Copy between this machine and a storage account, or inside one.

        A target that is a folder, or ends with `/`, gets the source under its own name.

        Returns:
            The number of files copied.

        Raises:
            StorageError: the source is missing, or a folder without `recursive`.
        """
        origin, goal = self._either(source), self._either(target)
        if not origin.exists():
            raise StorageError(f"there is nothing at {source}")
        if goal.is_dir() or target.endswith("/"):
            goal = goal / origin.name
        try:
            if not origin.is_dir():
                _copy_file(origin, goal)
                return 1
            if not recursive:
                raise StorageError(f"{source} is a folder: add --recursive to copy all of it")
            if goal.resolve().is_relative_to(origin.resolve()):
                raise StorageError(f"{target} is inside {source}")
            files = [path for path in sorted(origin.rglob("*")) if path.is_file()]
            for file in files:
                _copy_file(file, goal / file.relative_to(origin))
        except OSError as error:
            raise StorageError(f"can't copy {source} to {target}: {error.strerror}") from None
        return len(files)

    def remove(self, url: str, *, recursive: bool = False) -> None:
        """Remove a file, or a folder with all in it.

        Raises:
            StorageError: there is nothing, or a folder without `recursive`.
        """
        path = self.resolve(url)
        if not path.exists() and not path.is_symlink():
            raise StorageError(f"there is nothing at {url}")
        if path.is_dir() and not path.is_symlink():
            if not recursive:
                raise StorageError(f"{url} is a folder: add --recursive to remove all of it")
            shutil.rmtree(path)
        else:
            path.unlink()

    def _either(self, place: str) -> Path:
        if place.partition(":")[0] in _FOLDERS:
            return self.resolve(place)
        return Path(place)

    def _inside(self, folder: Path, below: str) -> Path:
        path = folder / below
        if not path.resolve().is_relative_to(folder.resolve()):
            raise StorageError(f"{below!r} leads out of the storage account")
        return path


def _account(name: str) -> str:
    if name == STORAGE_ACCOUNT_PLACEHOLDER:
        return DEFAULT_ACCOUNT
    if "/" in name or name in ("", ".", ".."):
        raise StorageError(f"{name!r} is no storage account's name")
    return name


def _copy_file(source: Path, target: Path) -> None:
    """Copy a file so that the target is never seen half written."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".bai-")
    os.close(handle)
    try:
        shutil.copy2(source, name)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
