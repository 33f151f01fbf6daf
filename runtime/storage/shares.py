"""The files of a real account, in shares. It was not run: there is no emulator of the service."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from bai.runtime.account_settings import AccountSettings
from bai.runtime.accounts import Address
from bai.runtime.entries import Entry
from bai.runtime.errors import StorageError
from bai.runtime.storage import share_transfers
from bai.runtime.storage.blocks import Blocks
from bai.runtime.storage.files import Count, Uncopied
from bai.runtime.storage.partial import new_part
from bai.runtime.storage.share_service import connect, translated

if TYPE_CHECKING:
    from azure.storage.fileshare import (
        FileProperties,
        ShareDirectoryClient,
        ShareFileClient,
        ShareServiceClient,
    )

_AT_ONCE: Final = 8
"""Files that are copied at once, and ranges of files."""
_ABSENT: Final = (404, 409)
"""What is answered where nothing is, or something of another kind."""


class ShareFiles:
    """The shares of an account, and the files in them."""

    at_once = _AT_ONCE

    def __init__(self, account: AccountSettings) -> None:
        """Use an account; a request is sent when something is asked for."""
        self._account = account
        self._made: set[str] = set()
        """Folders that exist, as far as is known."""

    @cached_property
    def _service(self) -> ShareServiceClient:
        return connect(self._account)

    @cached_property
    def _blocks(self) -> Blocks:
        return Blocks(_AT_ONCE)

    def on_disk(self, path: str) -> None:  # noqa: ARG002 - of no path
        """Return None: this machine has none of it."""
        return

    def shown(self, path: str) -> str:
        """Return the address of a path."""
        return str(Address("azureFile", self._account.name, path))

    def stat(self, path: str) -> Entry | None:
        """Return the share, file or folder at a path; None if there is nothing."""
        last = posixpath.basename(path)
        if not path:
            return _folder(last)
        with self._asked(path):
            if "/" in path and (found := self._properties(path)):
                return _file(last, found)
            return _folder(last) if self._is_folder(path) else None

    def entries(self, path: str, *, recursive: bool) -> Iterator[Entry]:
        """Iterate over what is in a share or folder, by name; over all shares."""
        with self._asked(path):
            if not path:
                yield from self._shares(recursive=recursive)
                return
            listed = self._directory(path).list_directories_and_files(include=["timestamps"])
            for each in sorted(listed, key=lambda found: str(found.name)):
                entry = _folder(each.name) if each.is_directory else _file(each.name, each)
                yield entry
                if recursive and each.is_directory:
                    for inner in self.entries(f"{path}/{each.name}", recursive=True):
                        yield replace(inner, name=f"{each.name}/{inner.name}")

    def contents(self, path: str) -> Iterator[Entry | Uncopied]:
        """Iterate over all that is in a share or folder, by name."""
        yield from self.entries(path, recursive=True)

    def checksum(self, path: str, entry: Entry) -> bytes | None:
        """Return the MD5 that was kept with a file; lists do not have it."""
        if entry.checksum:
            return entry.checksum
        with self._asked(path):
            found = self._properties(path)
            return _file(entry.name, found).checksum if found else None

    def read(self, path: str, into: BinaryIO) -> None:
        """Copy the content of a file."""
        with self._asked(path):
            share_transfers.read(self._file(path), into, self._blocks)

    def fetch(self, path: str, target: Path, count: Count) -> None:
        """Copy a file to this machine; what an interrupted copy has left is not read again."""
        with self._asked(path):
            share_transfers.download(self._file(path), target, self._blocks, count)

    def write(self, path: str, content: BinaryIO, count: Count) -> None:
        """Make a file, or replace it: it is uploaded under another name first."""
        from azure.core.exceptions import AzureError

        folder, name = posixpath.split(path)
        part = f"{folder}/{new_part(name)}"
        with self._asked(path):
            client = self._file(part)
            try:
                share_transfers.upload(client, content, _size(content), self._blocks, count)
                client.rename_file(path.partition("/")[2], overwrite=True)
            except BaseException:
                with suppress(AzureError):
                    client.delete_file()
                raise

    def make_folder(self, path: str, *, is_empty: bool) -> None:  # noqa: ARG002 - all are alike
        """Make a share, or a folder in one, and those that it is in."""
        from azure.core.exceptions import ResourceExistsError

        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            made = "/".join(parts[:end])
            if made in self._made:
                continue
            with self._asked(made) as service:
                if not self._is_folder(made):
                    try:
                        if end == 1:
                            service.create_share(made)
                        else:
                            self._directory(made).create_directory()
                    except ResourceExistsError as error:
                        # Another copy may have made it; a file is in the way.
                        if not self._is_folder(made):
                            raise StorageError(f"a file is at {self.shown(made)}") from error
            self._made.add(made)

    def remove(self, path: str) -> None:
        """Remove a file."""
        with self._asked(path):
            self._file(path).delete_file()

    def remove_folder(self, path: str) -> None:
        """Remove a share, or a folder with all in it."""
        self._made = {made for made in self._made if not f"{made}/".startswith(f"{path}/")}
        if "/" not in path:
            with self._asked(path) as service:
                service.delete_share(path, delete_snapshots=True)
            return
        for entry in list(self.entries(path, recursive=False)):
            if entry.is_directory:
                self.remove_folder(f"{path}/{entry.name}")
            else:
                self.remove(f"{path}/{entry.name}")
        with self._asked(path):
            self._directory(path).delete_directory()

    def _asked(self, path: str) -> AbstractContextManager[ShareServiceClient]:
        return translated(self._account, self._service, self.shown(path))

    def _directory(self, path: str) -> ShareDirectoryClient:
        share, _, name = path.partition("/")
        return self._service.get_share_client(share).get_directory_client(name)

    def _file(self, path: str) -> ShareFileClient:
        share, _, name = path.partition("/")
        return self._service.get_share_client(share).get_file_client(name)

    def _properties(self, path: str) -> FileProperties | None:
        """Return what is known of a file; None if there is none."""
        from azure.core.exceptions import HttpResponseError

        try:
            found: FileProperties = self._file(path).get_file_properties()
        except HttpResponseError as error:
            if error.status_code in _ABSENT:
                return None
            raise
        return found

    def _is_folder(self, path: str) -> bool:
        """Return whether there is a share or a folder."""
        from azure.core.exceptions import HttpResponseError

        try:
            # Of a share, that is its top folder.
            self._directory(path).get_directory_properties()
        except HttpResponseError as error:
            if error.status_code in _ABSENT:
                return False
            raise
        return True

    def _shares(self, *, recursive: bool) -> Iterator[Entry]:
        for each in self._service.list_shares():
            yield Entry(each.name, is_directory=True, size=0, modified=each.last_modified)
            if recursive:
                for entry in self.entries(each.name, recursive=True):
                    yield replace(entry, name=f"{each.name}/{entry.name}")


def _folder(name: str) -> Entry:
    return Entry(name, is_directory=True, size=0, modified=None)


def _file(name: str, found: Any) -> Entry:
    """Return the entry of a file with these properties."""
    md5 = found.content_settings.content_md5 if found.content_settings else None
    return Entry(
        name,
        is_directory=False,
        size=found.size,
        modified=found.last_modified,
        checksum=bytes(md5) if md5 else None,
    )


def _size(content: BinaryIO) -> int:
    """Return how many bytes a file has; 0 if it is none that knows."""
    try:
        return os.fstat(content.fileno()).st_size
    except OSError:
        return 0
