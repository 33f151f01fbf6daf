"""Copies a container into a folder, and what has changed there back: a program of its own.

A driver starts it, so that a copy of hours can be ended, and bai goes on listening meanwhile. It
reads an order as JSON from its input, and writes what became of it to its output.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bai.runtime.account_settings import AccountSettings
from bai.runtime.entries import Entry
from bai.runtime.errors import StorageError
from bai.runtime.mounts.copies import Order
from bai.runtime.storage.blobs import BlobFiles
from bai.runtime.storage.copying import Copier
from bai.runtime.storage.files import Item, Uncopied
from bai.runtime.storage.folders import FolderFiles
from bai.specs.secrets import SecretRef
from bai.specs.words import counted, sized

_AT_ONCE: Final = 8
"""Checksums that are asked for and computed at once."""
_SIGNATURE: Final = SecretRef("env", "-")
"""Stands for a signature, which comes with the order."""

_Stamp = list[int]
"""What is different of a file whenever it was written to: size, times in ns, and its inode."""
_Kept = tuple[str, _Stamp, str | None]
"""Of a file that was copied: when its blob was written, its stamp, and its MD5 if that is known."""
_MODIFIED: Final = 0


def main() -> None:
    """Carry out the order on stdin; `error` in the JSON on stdout is what went wrong, or null."""
    order = Order(**json.load(sys.stdin))
    error: str | None = None
    try:
        copies = Staging(order)
        error = copies.bring_back() if order.is_back else copies.fetch()
    except StorageError as found:
        error = str(found)
    except OSError as found:
        place = f" ({found.filename})" if found.filename else ""
        error = f"{found.strerror or found}{place}"
    json.dump({"error": error}, sys.stdout)


class Staging:
    """A container, and the folder that stands for it."""

    def __init__(self, order: Order) -> None:
        """Begin without a request."""
        self._order = order
        endpoint, _, self._container = order.url.rpartition("/")
        parts = urlsplit(endpoint)
        # An emulator has the account in the path.
        name = parts.path.strip("/") or (parts.hostname or "").partition(".")[0]
        account = AccountSettings(name, endpoint, endpoint, sas=_SIGNATURE)
        self._blobs = BlobFiles(account, order.signature)
        self._folder = FolderFiles(Path(order.folder))

    def fetch(self) -> str | None:
        """Copy the container into the folder, and record what that holds; return what is wrong."""
        order, found = self._order, list(self._blobs.contents(self._container))
        if strange := [each for each in found if isinstance(each, Uncopied)]:
            return f"{strange[0].path} can't be a file of this machine: {strange[0].reason}"
        entries = [each for each in found if isinstance(each, Entry)]
        Path(order.folder).mkdir(parents=True, exist_ok=True)
        needed, free = sum(each.size for each in entries), shutil.disk_usage(order.folder).free
        if needed > free:
            return f"it has {sized(needed)}, and the disk of {order.folder} {sized(free)} left"
        items = [Item(each, f"{self._container}/{each.name}", each.name) for each in entries]
        if left := Copier(self._blobs, self._folder).copy(items).uncopied:
            return f"{left[0].path} can't be copied: {left[0].reason}"
        record = {each.name: self._kept(each) for each in entries if not each.is_directory}
        Path(order.record).write_text(json.dumps(record))
        return None

    def bring_back(self) -> str | None:
        """Copy what is new or has changed, compare checksums, and remove what the job removed.

        A folder without files stays out: in a container, a folder is what names begin with.

        Returns:
            What is not in the container as the job left it; None if all is.
        """
        kept: Mapping[str, _Kept] = json.loads(Path(self._order.record).read_bytes())
        found = list(self._folder.contents(""))
        files = [each for each in found if isinstance(each, Entry) and not each.is_directory]
        changed = [each for each in files if self._is_changed(each, kept.get(each.name))]
        items = [Item(each, each.name, f"{self._container}/{each.name}") for each in changed]
        uncopied = [each for each in found if isinstance(each, Uncopied)]
        try:
            uncopied += Copier(self._folder, self._blobs).copy(items).uncopied
            if not uncopied:
                uncopied += self._differing(items)
            if not uncopied:
                gone = kept.keys() - {each.name for each in files}
                self._remove({name: kept[name][_MODIFIED] for name in gone})
        except StorageError as error:
            return self._lost([each.name for each in changed], str(error))
        if uncopied:
            names = [each.path.removeprefix(f"{self._order.folder}/") for each in uncopied]
            return self._lost(names, uncopied[0].reason)
        return None

    def _kept(self, entry: Entry) -> _Kept:
        """Return what is to be known of a file that was copied."""
        md5 = entry.checksum.hex() if entry.checksum else None
        return str(entry.modified), self._stamp(entry.name), md5

    def _is_changed(self, file: Entry, kept: _Kept | None) -> bool:
        if kept is None:
            return True
        _, stamp, md5 = kept
        if self._stamp(file.name) == stamp:
            return False
        # Its mode alone may be another.
        found = self._folder.checksum(file.name, file)
        return found is None or found.hex() != md5

    def _stamp(self, name: str) -> _Stamp:
        found = self._folder.on_disk(name).stat()
        return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]

    def _differing(self, files: Sequence[Item]) -> list[Uncopied]:
        """Return the files whose checksum in the container is not that of the folder's."""

        def compare(item: Item) -> list[Uncopied]:
            blob = self._blobs.stat(item.target)
            mine = self._folder.checksum(item.source, item.entry)
            if blob and blob.checksum == mine:
                return []
            return [Uncopied(item.source, "its checksum (MD5) in the container is another")]

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return [each for found in pool.map(compare, files) for each in found]

    def _remove(self, gone: Mapping[str, str]) -> None:
        """Remove blobs that the job removed, unless somebody else has written them meanwhile."""
        for name, modified in sorted(gone.items()):
            path = f"{self._container}/{name}"
            blob = self._blobs.stat(path)
            if blob and not blob.is_directory and str(blob.modified) == modified:
                self._blobs.remove(path)

    def _lost(self, names: Sequence[str], why: str) -> str:
        order = self._order
        if not names:
            return f"what the job removed from {order.name} is still in {order.url}: {why}"
        return (
            f"{counted(len(names), 'file')} that the job wrote to {order.name}, {names[0]} for "
            f"one, could not be uploaded to {order.url}: {why}; kept in {order.folder}"
        )
