"""The snapshots of code in the storage accounts, each at `code/NAME` of a file share.

A snapshot is made under another name and then renamed: it is there whole, or not at all. Beside it
is the list of its files, by which it is verified and compared.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from bai.compiler.resources.code import Code
from bai.compiler.resources.reserved import CODE_SHARE, CODE_VARIABLE, variable_of
from bai.compiler.resources.resource import Resource
from bai.runtime.accounts import Accounts
from bai.runtime.code.folders import DiskFolders
from bai.runtime.code.listing import Entry, EntryKind, Listing
from bai.runtime.code.manifest import Manifest, chunks, digest_of
from bai.runtime.errors import StateError, StorageError
from bai.runtime.file_limit import way_out
from bai.specs.errors import ConflictError
from bai.specs.replacing import replaced

_PART: Final = ".copying-"
_FILE_MODES: Final = {EntryKind.FILE: 0o444, EntryKind.PROGRAM: 0o555}
"""A job can't write over the code of other jobs; folders can be written, and so removed."""
_SHORT: Final = 12
"""Characters of a snapshot's name in messages."""


class Snapshots:
    """The snapshots of a context, and the folders that they are made of."""

    def __init__(self, accounts: Accounts, folders: DiskFolders) -> None:
        """Keep snapshots of folders in accounts."""
        self._accounts = accounts
        self._folders = folders

    def keep(self, job: Resource) -> None:
        """Make the snapshot of a job's code, unless it is there.

        Raises:
            ConflictError: the code has changed since the job was compiled.
            StorageError: the snapshot can't be made; nothing of it is left.
        """
        if job.code is None:
            return
        share = _share(job.wire, self._accounts)
        if not is_whole(share, job.code.name):
            make_snapshot(job.code, self._folders, share)

    def change(self, live: Mapping[str, Any], job: Resource) -> tuple[str, str] | None:
        """Return the code of a live job and what it becomes, in words; None if it stays."""
        before, code = snapshot_name(live), job.code
        if before is None or code is None or before == code.name:
            return None
        old = read_manifest_of(_share(live, self._accounts), before)
        new = self._folders.manifest(code.folder)
        if old is None or new is None:
            return before[:_SHORT], code.name[:_SHORT]
        return old.words, f"{new.words} ({new.changes(old)})"


def size_of(live: Mapping[str, Any], accounts: Accounts) -> str | None:
    """Return how much the code of a live job is: `12 files, 34 kB`; None if nothing says it."""
    name = snapshot_name(live)
    manifest = read_manifest_of(_share(live, accounts), name) if name else None
    return manifest.words if manifest else None


def _share(wire: Mapping[str, Any], accounts: Accounts) -> Path:
    """Return the folder of the share that a job with code, in wire form, mounts."""
    shares = wire["properties"]["mountVolumes"]["azureFileShares"]
    account = next(s["accountName"] for s in shares if s["relativeMountPath"] == CODE_SHARE)
    return accounts.folder("azureFile", account, CODE_SHARE)


def snapshot_name(job: Mapping[str, Any]) -> str | None:
    """Return the name of a job's snapshot, from its wire form; None if it has no code."""
    path = variable_of(job["properties"], CODE_VARIABLE)
    return None if path is None else path.rpartition("/")[2]


def with_snapshot(job: Mapping[str, Any], name: str | None) -> Any:
    """Return the wire form of a job with another snapshot of its code."""
    own = snapshot_name(job)
    return json.loads(json.dumps(job).replace(f"/{own}", f"/{name}")) if own else job


def make_snapshot(code: Code, folders: DiskFolders, share: Path) -> None:
    """Make the snapshot of a folder in a share.

    Raises:
        ConflictError: the folder has changed since the name of the snapshot was found.
        StorageError: it can't be made; nothing of it is left.
    """
    try:
        share.mkdir(parents=True, exist_ok=True)
        with _alone(share):
            # Another command may have made it meanwhile; what is half made was killed.
            for part in share.glob(f"{_PART}*"):
                shutil.rmtree(part, ignore_errors=True)
            if not is_whole(share, code.name):
                _make(code, folders.listing(code.folder), share)
    except OSError as error:
        what = f"can't copy the code {code.folder} to {share}"
        raise StorageError(f"{what}: {error.strerror}{way_out(error.errno)}") from None


def _make(code: Code, listing: Listing, share: Path) -> None:
    part = share / f"{_PART}{os.urandom(8).hex()}"
    try:
        manifest = _copy_code(listing, part)
        if listing.problems or manifest.name != code.name:
            raise ConflictError(
                f"the code {code.folder} has changed since the plan was made: run the command again"
            )
        with replaced(_list_of(share, code.name)) as file:
            file.write_text(manifest.as_text())
            file.chmod(0o644)
        goal = share / code.name
        if goal.exists():
            # It is damaged. What runs in it keeps its files until it ends.
            goal.rename(share / f"{_PART}{os.urandom(8).hex()}")
        part.rename(goal)
    finally:
        for left in share.glob(f"{_PART}*"):
            shutil.rmtree(left, ignore_errors=True)


def write_code(code: Code, folders: DiskFolders, target: Path) -> None:
    """Make a snapshot in a folder that is not in a storage account, and in no snapshot itself.

    Raises:
        ConflictError, StorageError: as for `make_snapshot`.
    """
    make_snapshot(code, folders, target)
    (target / ".gitignore").write_text("*\n")


def keep_out(code: Code, folder: Path) -> None:
    """Keep an empty folder out of the code that it stands in.

    Files that are compiled into it would be changed code for the next compilation.

    Raises:
        StorageError: it can't be written.
    """
    is_inside = Path(code.folder).resolve() in folder.resolve().parents
    if is_inside and not any(folder.iterdir()):
        ignoring = folder / ".baiignore"
        try:
            ignoring.write_text("*\n")
        except OSError as error:
            raise StorageError(f"can't write {ignoring}: {error.strerror}") from None


def _copy_code(listing: Listing, target: Path) -> Manifest:
    """Copy the entries of a folder, and return what was copied.

    Raises:
        OSError: something can't be read, or written.
    """
    target.mkdir(parents=True)
    copied = {}
    for entry in listing.entries:
        goal = target / entry.path
        goal.parent.mkdir(parents=True, exist_ok=True)
        copied[entry.path] = entry, _copy(Path(listing.folder, entry.path), entry, goal)
    return Manifest(copied)


def _copy(source: Path, entry: Entry, goal: Path) -> str:
    """Copy an entry, and return the digest of its content."""
    if entry.kind is EntryKind.LINK:
        goal.symlink_to(entry.target)
        return digest_of([os.fsencode(entry.target)])
    with goal.open("wb") as file:
        digest = digest_of(_written(chunks(source), file.write))
    goal.chmod(_FILE_MODES[entry.kind])
    return digest


def _written(parts: Iterator[bytes], write: Any) -> Iterator[bytes]:
    for part in parts:
        write(part)
        yield part


def is_whole(share: Path, name: str) -> bool:
    """Return whether a snapshot is there with all of its files, in their sizes."""
    manifest = read_manifest_of(share, name)
    if manifest is None:
        return False
    folder = os.fspath(share / name)
    return all(
        _is_there(f"{folder}/{path}", entry) for path, (entry, _) in manifest.entries.items()
    )


def _is_there(path: str, entry: Entry) -> bool:
    try:
        status = os.lstat(path)
    except OSError:
        return False
    if entry.kind is EntryKind.LINK:
        return stat.S_ISLNK(status.st_mode)
    return stat.S_ISREG(status.st_mode) and status.st_size == entry.size


def read_manifest_of(share: Path, name: str) -> Manifest | None:
    """Return the list of a snapshot's files; None if there is none that can be read."""
    with contextlib.suppress(OSError, StateError):
        return Manifest.of_text(_list_of(share, name).read_text())
    return None


def _list_of(share: Path, name: str) -> Path:
    return share / f"{name}.json"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other commands from making snapshots in a share."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
