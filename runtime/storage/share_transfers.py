"""One file of a share, uploaded or downloaded in ranges, with checksums."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from bai.runtime.errors import ChecksumError, StorageError
from bai.runtime.storage.blocks import Blocks
from bai.runtime.storage.files import Count
from bai.runtime.storage.partial import continued

if TYPE_CHECKING:
    from azure.storage.fileshare import FileProperties, ShareFileClient

_RANGE: Final = 4 << 20
"""Bytes of a range: the most that the service takes in one request."""


def upload(
    file: ShareFileClient, content: BinaryIO, size: int, blocks: Blocks, count: Count
) -> None:
    """Make a file, or replace it, with a checksum of all of it (Content-MD5).

    Args:
        file: its client.
        content: what it will be.
        size: how many bytes that are, about; 0 if nobody knows.
        blocks: what runs transfers.
        count: called with the bytes of each that has ended.
    """
    from azure.storage.fileshare import ContentSettings

    whole = hashlib.md5(usedforsecurity=False)
    file.create_file(size)
    made, end = size, 0

    def transfers() -> Iterator[Callable[[], int]]:
        nonlocal made, end
        while chunk := content.read(_RANGE):
            whole.update(chunk)
            begin, end = end, end + len(chunk)
            if end > made:
                # A range must be in the file.
                made = end
                file.resize_file(made)
            yield partial(_put, file, chunk, begin)

    for length in blocks.run(transfers()):
        count(length)
    if made != end:
        file.resize_file(end)
    file.set_http_headers(ContentSettings(content_md5=bytearray(whole.digest())))


def _put(file: ShareFileClient, data: bytes, begin: int) -> int:
    file.upload_range(data, begin, len(data), validate_content=True)
    return len(data)


def download(file: ShareFileClient, target: Path, blocks: Blocks, count: Count) -> None:
    """Copy a file to this machine; what an interrupted copy has left is not read again.

    Raises:
        ChecksumError: it did not arrive as it was uploaded.
        OSError: it can't be written.
        StorageError: it changed meanwhile, or another command copies it to the same place.
    """
    found: FileProperties = file.get_file_properties()
    source = f"{file.account_name}/{file.share_name}/{'/'.join(file.file_path)}"
    with continued(target, source, found.etag) as part:
        whole = hashlib.md5(usedforsecurity=False)
        there = 0
        while chunk := part.read(_RANGE):
            whole.update(chunk)
            there += len(chunk)
        count(there)
        for chunk in _chunks(file, found, there, blocks):
            part.write(chunk)
            whole.update(chunk)
            count(len(chunk))
        _check(found, whole.digest())


def read(file: ShareFileClient, into: BinaryIO, blocks: Blocks) -> None:
    """Copy the content of a file.

    Raises:
        ChecksumError: it did not arrive as it was uploaded; that is known only in the end.
        OSError: it can't be written.
        StorageError: it changed meanwhile.
    """
    found: FileProperties = file.get_file_properties()
    whole = hashlib.md5(usedforsecurity=False)
    for chunk in _chunks(file, found, 0, blocks):
        into.write(chunk)
        whole.update(chunk)
    _check(found, whole.digest())


def _chunks(
    file: ShareFileClient, found: FileProperties, begin: int, blocks: Blocks
) -> Iterator[bytes]:
    """Iterate over the content of a version of a file, from an offset on."""
    offsets = range(begin, found.size, _RANGE)
    return blocks.run(partial(_range, file, found, offset) for offset in offsets)


def _range(file: ShareFileClient, found: FileProperties, offset: int) -> bytes:
    stream = file.download_file(offset, min(_RANGE, found.size - offset))
    # The service has no condition for that.
    if stream.properties.etag != found.etag:
        raise StorageError("it has changed meanwhile: copy it again")
    chunk: bytes = stream.readall()
    return chunk


def _check(found: FileProperties, digest: bytes) -> None:
    """Compare the checksum of a copy with that of its file, which not every one has."""
    wanted = found.content_settings.content_md5
    if wanted and bytes(wanted) != digest:
        raise ChecksumError("it has not arrived as it was uploaded (Content-MD5): copy it again")
