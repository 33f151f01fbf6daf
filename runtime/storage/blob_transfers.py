"""One blob, uploaded or downloaded: in blocks, with checksums, and continued after an interruption.

A large file is uploaded in blocks whose names say which bytes they have. Those of an interrupted
upload stay with the service for a week, and are not sent again. A download continues in the part
that it has left, as long as the blob is the same version (its ETag).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from bai.runtime.errors import ChecksumError
from bai.runtime.storage.blocks import Blocks
from bai.runtime.storage.files import Count
from bai.runtime.storage.partial import continued

if TYPE_CHECKING:
    from azure.storage.blob import BlobClient, BlobProperties

_BLOCK: Final = 8 << 20
"""Bytes of a block; a file that is no larger is one request."""
_MOST: Final = 50_000
"""Blocks that a blob has at most, by the service's rule."""


def upload(blob: BlobClient, content: BinaryIO, size: int, blocks: Blocks, count: Count) -> None:
    """Make a blob, or replace it, with a checksum (Content-MD5); it is there whole or not at all.

    Args:
        blob: its client.
        content: what it will be.
        size: how many bytes that are, about; 0 if nobody knows.
        blocks: what runs transfers.
        count: called with the bytes of each that has ended.
    """
    from azure.storage.blob import BlobBlock, ContentSettings

    chunks = iter(partial(content.read, max(_BLOCK, -(-size // _MOST))), b"")
    first, second = next(chunks, b""), next(chunks, b"")
    whole = hashlib.md5(usedforsecurity=False)
    if not second:
        whole.update(first)
        settings = ContentSettings(content_md5=bytearray(whole.digest()))
        blob.upload_blob(first, overwrite=True, validate_content=True, content_settings=settings)
        count(len(first))
        return
    names: list[str] = []
    there = _uncommitted(blob)

    def transfers() -> Iterator[Callable[[], int]]:
        for chunk in chain((first, second), chunks):
            whole.update(chunk)
            # The same bytes at the same place have the same name in every upload.
            digest = hashlib.md5(chunk, usedforsecurity=False).hexdigest()
            names.append(f"{len(names):08}-{digest}")
            yield partial(_stage, blob, names[-1], chunk, is_there=names[-1] in there)

    for length in blocks.run(transfers()):
        count(length)
    settings = ContentSettings(content_md5=bytearray(whole.digest()))
    blob.commit_block_list([BlobBlock(name) for name in names], content_settings=settings)


def _uncommitted(blob: BlobClient) -> frozenset[str]:
    """Return the names of blocks that an interrupted upload has left."""
    from azure.core.exceptions import ResourceNotFoundError

    try:
        _, found = blob.get_block_list("uncommitted")
    except ResourceNotFoundError:
        return frozenset()
    return frozenset(block.id for block in found)


def _stage(blob: BlobClient, name: str, data: bytes, *, is_there: bool) -> int:
    if not is_there:
        blob.stage_block(name, data, len(data), validate_content=True)
    return len(data)


def download(blob: BlobClient, target: Path, blocks: Blocks, count: Count) -> None:
    """Copy a blob to this machine; what an interrupted copy has left is not read again.

    Raises:
        ChecksumError: it did not arrive as it was uploaded.
        OSError: it can't be written.
        StorageError: another command copies it to the same place.
    """
    found: BlobProperties = blob.get_blob_properties()
    source = f"{blob.account_name}/{blob.container_name}/{blob.blob_name}"
    with continued(target, source, found.etag) as file:
        whole = hashlib.md5(usedforsecurity=False)
        there = 0
        while chunk := file.read(_BLOCK):
            whole.update(chunk)
            there += len(chunk)
        count(there)
        for chunk in _chunks(blob, found, there, blocks):
            file.write(chunk)
            whole.update(chunk)
            count(len(chunk))
        _check(found, whole.digest())


def read(blob: BlobClient, into: BinaryIO, blocks: Blocks) -> None:
    """Copy the content of a blob.

    Raises:
        ChecksumError: it did not arrive as it was uploaded; that is known only in the end.
        OSError: it can't be written.
    """
    found: BlobProperties = blob.get_blob_properties()
    whole = hashlib.md5(usedforsecurity=False)
    for chunk in _chunks(blob, found, 0, blocks):
        into.write(chunk)
        whole.update(chunk)
    _check(found, whole.digest())


def _chunks(blob: BlobClient, found: BlobProperties, begin: int, blocks: Blocks) -> Iterator[bytes]:
    """Iterate over the content of a version of a blob, from an offset on."""
    offsets = range(begin, found.size, _BLOCK)
    return blocks.run(partial(_range, blob, found, offset) for offset in offsets)


def _range(blob: BlobClient, found: BlobProperties, offset: int) -> bytes:
    from azure.core import MatchConditions

    chunk: bytes = blob.download_blob(
        offset,
        min(_BLOCK, found.size - offset),
        etag=found.etag,
        match_condition=MatchConditions.IfNotModified,
    ).readall()
    return chunk


def _check(found: BlobProperties, digest: bytes) -> None:
    """Compare the checksum of a copy with that of its blob, which not every one has."""
    wanted = found.content_settings.content_md5
    if wanted and bytes(wanted) != digest:
        raise ChecksumError("it has not arrived as it was uploaded (Content-MD5): copy it again")
