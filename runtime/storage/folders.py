"""Files of this machine: its own, and those of storage accounts that are folders."""

from __future__ import annotations

import errno
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

from bai.runtime.accounts import Address
from bai.runtime.entries import Entry
from bai.runtime.errors import StorageError
from bai.runtime.storage.files import Count, Uncopied
from bai.runtime.storage.partial import is_partial
from bai.specs.replacing import replaced

_CHUNK: Final = 1 << 20
"""Bytes that are copied at once."""
_KINDS: Final = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
}


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """Files in folders of this machine."""

    account: Path | None = None
    """Folder of all shares, or of all containers, that nothing leads out of; None: no account."""
    address: Address | None = None
    """The address of that folder."""
    at_once: int = 1
    """One: a disk is not faster with several."""

    def on_disk(self, path: str) -> Path:
        """Return the path on this machine."""
        return self.account / path if self.account else Path(path)

    def shown(self, path: str) -> str:
        """Return the address of a path in an account, or the path on this machine."""
        return str(replace(self.address, path=path) if self.address else self.on_disk(path))

    def stat(self, path: str) -> Entry | None:
        """Return what is at a path; of a link that leads nowhere, the link itself.

        Raises:
            StorageError: it leads out of the account.
        """
        at = self.on_disk(path)
        if not at.is_symlink():
            self._check(at)
        return _entry(at, at.parent) if at.exists() or at.is_symlink() else None

    def entries(self, path: str, *, recursive: bool) -> Iterator[Entry]:
        """Iterate over what is in a folder, by name. Links are listed, and not followed."""
        folder = self.on_disk(path)
        self._check(folder)
        for each in _below(folder, recursive=recursive):
            yield _entry(each, folder)

    def contents(self, path: str) -> Iterator[Entry | Uncopied]:
        """Iterate over all that is in a folder, by name; links are what they lead to."""
        folder = self.on_disk(path)
        self._check(folder)
        for each in self._followed(folder):
            if isinstance(each, Uncopied):
                yield each
            else:
                yield _entry(each, folder)

    def checksum(self, path: str, entry: Entry) -> bytes | None:  # noqa: ARG002 - no list has it
        """Return the MD5 of a file's content."""
        import hashlib

        digest = hashlib.md5(usedforsecurity=False)
        with self.on_disk(path).open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
        return digest.digest()

    def read(self, path: str, into: BinaryIO) -> None:
        """Copy the content of a file."""
        source = self.on_disk(path)
        self._check(source)
        with source.open("rb") as file:
            shutil.copyfileobj(file, into)

    def fetch(self, path: str, target: Path, count: Count) -> None:
        """Copy a file with its mode and times; if this raises, the target is unchanged."""
        source = self.on_disk(path)
        self._check(source)
        with source.open("rb") as file:
            target.parent.mkdir(parents=True, exist_ok=True)
            with replaced(target) as part:
                _write(part, file, count)
                shutil.copystat(source, part)

    def write(self, path: str, content: BinaryIO, count: Count) -> None:
        """Make a file, or replace it."""
        target = self.on_disk(path)
        self._check(target.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        with replaced(target) as part:
            _write(part, content, count)

    def make_folder(self, path: str, *, is_empty: bool) -> None:  # noqa: ARG002 - all are alike
        """Make a folder, and those that it is in."""
        folder = self.on_disk(path)
        self._check(folder)
        folder.mkdir(parents=True, exist_ok=True)

    def remove(self, path: str) -> None:
        """Remove a file or a link, not what that leads to: it may be anywhere."""
        at = self.on_disk(path)
        self._check(at.parent)
        at.unlink()

    def remove_folder(self, path: str) -> None:
        """Remove a folder with all in it; of a link only the link itself."""
        at = self.on_disk(path)
        if at.is_symlink():
            self.remove(path)
        else:
            self._check(at)
            shutil.rmtree(at)

    def _check(self, path: Path) -> None:
        """Check that a path is in the account, through links as well.

        Raises:
            StorageError: it is not.
        """
        if self.account is not None and not self._holds(path):
            raise StorageError(
                f"{str(path.relative_to(self.account))!r} leads out of the storage account"
            )

    def _holds(self, path: Path) -> bool:
        return self.account is None or path.resolve().is_relative_to(self.account.resolve())

    def _followed(
        self, folder: Path, above: frozenset[Path] = frozenset()
    ) -> Iterator[Path | Uncopied]:
        """Iterate over the files and folders in a folder, a folder before what is in it.

        Raises:
            OSError: the outermost folder can't be read.
        """
        try:
            inner = above | {folder.resolve()}
            paths = sorted(folder.iterdir())
        except OSError as error:
            if not above:
                raise
            yield Uncopied(self._shown(folder), error.strerror or str(error))
            return
        for path in paths:
            if is_partial(path.name):
                continue
            try:
                reason = obstacle(path) or self._bad_lead(path, inner)
            except OSError as error:
                reason = error.strerror or str(error)
            if reason:
                yield Uncopied(self._shown(path), reason)
                continue
            yield path
            if path.is_dir():
                yield from self._followed(path, inner)

    def _shown(self, path: Path) -> str:
        return self.shown(path.relative_to(self.account).as_posix() if self.account else str(path))

    def _bad_lead(self, path: Path, above: frozenset[Path]) -> str | None:
        """Return why a path may not be followed: it leads out of an account, or around."""
        if not self._holds(path):
            return "a link out of the storage account"
        return "a link to a folder that it is in" if path.resolve() in above else None


def obstacle(path: Path) -> str | None:
    """Return why there is nothing to copy at a path: what it is instead of a file or folder.

    Raises:
        OSError: it can't be looked at.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if path.is_symlink():
            return f"a link to {path.readlink()}, where nothing is"
        raise
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "a link in a circle"
        raise
    return _KINDS.get(stat.S_IFMT(mode))


def _below(folder: Path, *, recursive: bool) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        yield path
        # A link may lead in a circle, or out of the account.
        if recursive and path.is_dir() and not path.is_symlink():
            yield from _below(path, recursive=True)


def _entry(path: Path, listed: Path) -> Entry:
    # A link to nothing is listed as what it is itself.
    found = path.stat() if path.exists() else path.lstat()
    size = 0 if path.is_dir() else found.st_size
    name = path.relative_to(listed).as_posix()
    return Entry(name, path.is_dir(), size, datetime.fromtimestamp(found.st_mtime, UTC))


def _write(target: Path, content: BinaryIO, count: Count) -> None:
    with target.open("wb") as file:
        while chunk := content.read(_CHUNK):
            file.write(chunk)
            count(len(chunk))
