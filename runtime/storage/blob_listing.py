"""Blobs as files and folders: a folder is a prefix of names, or an empty blob that marks one."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from bai.runtime.entries import Entry

if TYPE_CHECKING:
    from azure.storage.blob import BlobProperties, ContainerClient

MARK: Final = {"hdi_isfolder": "true"}
"""Metadata of an empty blob that stands for a folder, as Azure's own tools write it."""


def folder(name: str) -> Entry:
    """Return the entry of a prefix."""
    return Entry(name, is_directory=True, size=0, modified=None)


def file(name: str, found: BlobProperties) -> Entry:
    """Return the entry of a blob; of one that marks a folder, that of the folder."""
    if is_mark(name, found):
        return folder(name.rstrip("/"))
    md5 = found.content_settings.content_md5
    return Entry(
        name,
        is_directory=False,
        size=found.size,
        modified=found.last_modified,
        checksum=bytes(md5) if md5 else None,
    )


def is_mark(name: str, found: BlobProperties) -> bool:
    """Return whether a blob stands for a folder."""
    marked = (found.metadata or {}).items() >= MARK.items()
    return found.size == 0 and (marked or name.endswith("/"))


def has_below(container: ContainerClient, prefix: str) -> bool:
    """Return whether there is any blob below a prefix, in a container that exists."""
    from azure.core.exceptions import ResourceNotFoundError

    names = container.list_blob_names(name_starts_with=prefix, results_per_page=1)
    try:
        return next(iter(names), None) is not None
    except ResourceNotFoundError:
        return False


def level(container: ContainerClient, prefix: str) -> list[Entry]:
    """Return the blobs and prefixes right below a prefix ('' or `dir/`), by name."""
    from azure.storage.blob import BlobPrefix

    found: dict[str, Entry] = {}
    for each in container.walk_blobs(name_starts_with=prefix, include=["metadata"]):
        name = each.name.removeprefix(prefix)
        entry = folder(name.rstrip("/")) if isinstance(each, BlobPrefix) else file(name, each)
        # A folder may have a mark as well as files; the prefix itself may be marked, too.
        if entry.name and not (entry.name in found and entry.is_directory):
            found[entry.name] = entry
    return [found[name] for name in sorted(found)]


def below(container: ContainerClient, prefix: str) -> Iterator[Entry]:
    """Iterate over all blobs below a prefix, by name, and over the folders that they are in."""
    listed = container.list_blobs(name_starts_with=prefix, include=["metadata"])
    yield from _with_folders(file(each.name.removeprefix(prefix), each) for each in listed)


def _with_folders(blobs: Iterable[Entry]) -> Iterator[Entry]:
    """Iterate over blobs by name, each after the folders that it is in."""
    seen: list[str] = []
    for blob in blobs:
        parents = _parents(blob.name)
        # What has the same beginning stands together.
        seen = [parent for parent in seen if parent in parents or parent == blob.name]
        for parent in parents:
            if parent not in seen:
                seen.append(parent)
                yield folder(parent)
        if blob.name and blob.name not in seen:
            if blob.is_directory:
                seen.append(blob.name)
            yield blob


def _parents(name: str) -> list[str]:
    """Return the folders of a path, outermost first."""
    parents = []
    while name := posixpath.dirname(name).rstrip("/"):
        parents.append(name)
    return parents[::-1]
