"""The blobs of a real account, in containers; folders are prefixes of their names."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from bai.runtime.account_settings import AccountSettings
from bai.runtime.accounts import Address
from bai.runtime.entries import Entry
from bai.runtime.errors import MissingFileError, StorageError
from bai.runtime.storage import blob_transfers
from bai.runtime.storage.blob_listing import MARK, below, file, folder, has_below, level
from bai.runtime.storage.blob_service import connect, translated
from bai.runtime.storage.blocks import Blocks
from bai.runtime.storage.files import Count, Uncopied

if TYPE_CHECKING:
    from azure.storage.blob import BlobClient, BlobProperties, BlobServiceClient, ContainerClient

_AT_ONCE: Final = 8
"""Files that are copied at once, and blocks of files."""
_FORBIDDEN: Final = 403
_BEHIND_END: Final = 416


class BlobFiles:
    """The containers of an account, and the blobs in them."""

    at_once = _AT_ONCE

    def __init__(self, account: AccountSettings, signature: str | None = None) -> None:
        """Use an account; a request is sent when something is asked for.

        Args:
            account: the account.
            signature: opens a part of it, in place of what its settings name.
        """
        self._account = account
        self._signature = signature
        self._made: set[str] = set()
        """Containers that exist, as far as is known."""

    @cached_property
    def _service(self) -> BlobServiceClient:
        return connect(self._account, self._signature)

    @cached_property
    def _blocks(self) -> Blocks:
        return Blocks(_AT_ONCE)

    def on_disk(self, path: str) -> None:  # noqa: ARG002 - of no path
        """Return None: this machine has none of it."""
        return

    def shown(self, path: str) -> str:
        """Return the address of a path."""
        return str(Address("azureBlob", self._account.name, path))

    def stat(self, path: str) -> Entry | None:
        """Return the container, blob or prefix at a path; None if there is nothing."""
        container, _, name = path.partition("/")
        last = posixpath.basename(path)
        if not name:
            return folder(last) if not container or self._exists(container) else None
        with self._asked(path):
            found = _properties(self._blob(path))
            if found:
                return file(last, found)
            return folder(last) if has_below(self._container(path), f"{name}/") else None

    def entries(self, path: str, *, recursive: bool) -> Iterator[Entry]:
        """Iterate over what is in a container or prefix, by name; over all containers."""
        _, _, name = path.partition("/")
        prefix = f"{name}/" if name else ""
        with self._asked(path):
            if not path:
                yield from self._containers(recursive=recursive)
            elif recursive:
                yield from below(self._container(path), prefix)
            else:
                yield from level(self._container(path), prefix)

    def contents(self, path: str) -> Iterator[Entry | Uncopied]:
        """Iterate over all that is in a container or prefix, by name."""
        for entry in self.entries(path, recursive=True):
            if _is_path(entry.name):
                yield entry
            elif not entry.is_directory:
                yield Uncopied(f"{self.shown(path)}/{entry.name}", "its name is no path of a file")

    def checksum(self, path: str, entry: Entry) -> bytes | None:  # noqa: ARG002 - listed as well
        """Return the MD5 that was kept with a blob."""
        return entry.checksum

    def read(self, path: str, into: BinaryIO) -> None:
        """Copy the content of a blob."""
        with self._asked(path):
            blob_transfers.read(self._blob(path), into, self._blocks)

    def read_part(self, path: str, offset: int, size: int | None) -> bytes:
        """Return a part of a blob; less than `size` bytes only at its end.

        Args:
            path: the blob.
            offset: where to begin.
            size: how many bytes to read at most; None for all there are.

        Raises:
            MissingFileError: there is no such blob.
            StorageError: it can't be read.
        """
        if size == 0:
            return b""
        with self._asked(path):
            from azure.core.exceptions import HttpResponseError, ResourceNotFoundError

            try:
                data: bytes = self._blob(path).download_blob(offset, size).readall()
            except ResourceNotFoundError:
                raise MissingFileError(f"{self.shown(path)} is missing") from None
            except HttpResponseError as error:
                if error.status_code != _BEHIND_END:
                    raise
                return b""
            return data

    def fetch(self, path: str, target: Path, count: Count) -> None:
        """Copy a blob to this machine; what an interrupted copy has left is not read again."""
        with self._asked(path):
            blob_transfers.download(self._blob(path), target, self._blocks, count)

    def write(self, path: str, content: BinaryIO, count: Count) -> None:
        """Make a blob, or replace it; blocks that an interrupted copy has left are not sent again.

        Raises:
            StorageError: its name is no text.
        """
        _check_text(path)
        with self._asked(path):
            size = _size(content)
            blob_transfers.upload(self._blob(path), content, size, self._blocks, count)

    def make_folder(self, path: str, *, is_empty: bool) -> None:
        """Make a container; of a folder in one only a mark, and only if it is to stay empty."""
        container, _, name = path.partition("/")
        _check_text(path)
        with self._asked(path) as service:
            if container not in self._made and not self._exists(container):
                service.create_container(container)
            self._made.add(container)
            if name and is_empty:
                self._blob(path).upload_blob(b"", overwrite=True, metadata=MARK)

    def remove(self, path: str) -> None:
        """Remove a blob, with its snapshots."""
        with self._asked(path):
            self._blob(path).delete_blob(delete_snapshots="include")

    def remove_folder(self, path: str) -> None:
        """Remove a container, or all blobs below a prefix."""
        container, _, name = path.partition("/")
        with self._asked(path) as service:
            if not name:
                self._made.discard(container)
                service.delete_container(container)
                return
            names = list(self._container(path).list_blob_names(name_starts_with=f"{name}/"))
            if _properties(self._blob(path)):
                names.append(name)
            removals = (partial(self.remove, f"{container}/{each}") for each in names)
            for _ in self._blocks.run(removals):
                pass

    def _asked(self, path: str) -> AbstractContextManager[BlobServiceClient]:
        return translated(self._account, self._service, self.shown(path))

    def _container(self, path: str) -> ContainerClient:
        return self._service.get_container_client(path.partition("/")[0])

    def _blob(self, path: str) -> BlobClient:
        container, _, name = path.partition("/")
        return self._service.get_blob_client(container, name)

    def _exists(self, container: str) -> bool:
        """Return whether a container exists; so it does where one may not ask."""
        with self._asked(container):
            from azure.core.exceptions import HttpResponseError, ResourceNotFoundError

            try:
                self._container(container).get_container_properties()
            except ResourceNotFoundError:
                return False
            except HttpResponseError as error:
                # A signature for a container allows its blobs, and nothing of the container.
                if error.status_code != _FORBIDDEN or not self._account.sas:
                    raise
        return True

    def _containers(self, *, recursive: bool) -> Iterator[Entry]:
        for each in self._service.list_containers():
            yield Entry(each.name, is_directory=True, size=0, modified=each.last_modified)
            if recursive:
                for entry in self.entries(each.name, recursive=True):
                    yield replace(entry, name=f"{each.name}/{entry.name}")


def _properties(blob: BlobClient) -> BlobProperties | None:
    from azure.core.exceptions import ResourceNotFoundError

    try:
        found: BlobProperties = blob.get_blob_properties()
    except ResourceNotFoundError:
        return None
    return found


def _is_path(name: str) -> bool:
    """Return whether the name of a blob is a path that does not lead out of its folder."""
    return "\0" not in name and not {"", ".", ".."}.intersection(name.split("/"))


def _check_text(path: str) -> None:
    try:
        path.encode()
    except UnicodeEncodeError:
        raise StorageError("its name is no text, which a blob's must be") from None


def _size(content: BinaryIO) -> int:
    """Return how many bytes a file has; 0 if it is none that knows."""
    try:
        return os.fstat(content.fileno()).st_size
    except OSError:
        return 0
