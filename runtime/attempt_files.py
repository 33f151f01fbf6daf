"""What is read of an attempt: folders of this machine, and outputs in real storage accounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from bai.runtime.accounts import Address
from bai.runtime.entries import Entry
from bai.runtime.errors import ElsewhereError, MissingFileError, StorageError
from bai.runtime.jobs.files import LOGS, FolderFiles, RemoteFolder, output
from bai.runtime.jobs.paths import AttemptPaths
from bai.runtime.mounts.remote import Remote

if TYPE_CHECKING:
    from bai.runtime.storage.blobs import BlobFiles


class AccountFolder:
    """A folder in a container. What a job writes comes there when its processes have ended."""

    def __init__(self, remote: Remote, path: PurePosixPath) -> None:
        """Name a folder; the account is asked when something is read.

        Args:
            remote: the container.
            path: the folder in it.
        """
        self._remote = remote
        self._path = f"{remote.container}/{path}"

    @cached_property
    def _files(self) -> BlobFiles:
        from bai.runtime.storage.blobs import BlobFiles

        account, secret = self._remote.account, self._remote.secret
        if secret and not account.secret:
            # Its key is where the mount says.
            account = replace(account, key=secret)
        return BlobFiles(account)

    @property
    def address(self) -> str:
        """What `bai storage` calls it."""
        return str(Address("azureBlob", self._remote.account.name, self._path))

    def list(self, path: str) -> Sequence[Entry]:
        """Return what is in it, or in a folder in it, by name.

        Raises:
            MissingFileError: there is no such folder.
            StorageError: it can't be read.
        """
        found = list(self._files.entries(self._below(path), recursive=False))
        if path and not found:
            raise MissingFileError(f"{self.address}/{path} is missing")
        return found

    def read(self, path: str, offset: int, size: int | None) -> bytes:
        """Return a part of a file; less than `size` bytes only at its end.

        Raises:
            MissingFileError: there is no such file.
            StorageError: it can't be read.
        """
        return self._files.read_part(self._below(path), offset, size)

    def _below(self, path: str) -> str:
        below = PurePosixPath(path)
        if below.is_absolute() or ".." in below.parts:
            raise StorageError(f"{path!r} leads out of {self.address}")
        return str(PurePosixPath(self._path) / below)


class GoneFolder:
    """A folder in a mount that the job alone has seen."""

    def __init__(self, address: str) -> None:
        """Take what people call it."""
        self.address = address

    def list(self, path: str) -> Sequence[Entry]:  # noqa: ARG002 - nothing is read
        """Refuse to read.

        Raises:
            ElsewhereError: always.
        """
        raise ElsewhereError(f"the output is not on this machine: it is in {self.address}")

    def read(self, path: str, offset: int, size: int | None) -> bytes:  # noqa: ARG002 - as above
        """Refuse to read.

        Raises:
            ElsewhereError: always.
        """
        raise ElsewhereError(f"the output is not on this machine: it is in {self.address}")


def files_of(paths: AttemptPaths) -> FolderFiles:
    """Return what is read of an attempt from elsewhere."""
    outputs = {output(id): folder for id, folder in paths.outputs.items()}
    remote = {
        name: found for name, folder in outputs.items() if (found := _not_here(paths, folder))
    }
    return FolderFiles({LOGS: paths.stdouterr, **outputs}, paths.folder, remote)


def _not_here(paths: AttemptPaths, folder: Path) -> RemoteFolder | None:
    """Return what reads an output that is no folder of this machine; None for one that is."""
    if (found := paths.not_here(folder)) is None:
        return None
    volume, below = found
    if isinstance(volume.remote, Remote):
        return AccountFolder(volume.remote, below)
    if volume.remote:
        return GoneFolder(f"{volume.remote.address}/{below}")
    return GoneFolder(f"{below} of {volume.command!r}")
