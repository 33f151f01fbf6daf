"""Finding the files to check, reading them, and recognising those for bai.

Files found in folders are checked only if they are for bai.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Final

from bai.compiler.batchai.recognition import is_spec, is_surely
from bai.specs.parsed_file import ParsedFile, unreadable
from bai.specs.syntax.characters import MAX_BYTES, encoding_of

SUFFIXES: Final = (".yaml", ".yml", ".json")
_SKIPPED: Final = frozenset(("node_modules", "__pycache__"))
_AT_ONCE: Final = 1 << 16
"""Bytes to ask for at once, which hardly any file has: memory for them is taken first."""


def find_files(paths: Iterable[str], *, deep: bool = True) -> Iterator[tuple[str, bool]]:
    """Iterate over (file, whether it was named) of named files and the files in named folders.

    In folders, only YAML and JSON files are found; hidden folders and virtual environments are
    skipped, links to folders not followed. A folder that can't be searched is yielded itself.

    Args:
        paths: files and folders.
        deep: whether the folders in a folder are searched as well.
    """
    found: dict[str, tuple[str, bool]] = {}
    for path in paths:
        for file, named in _below(path, deep=deep):
            key = os.path.normpath(file)
            # A named file counts as named even if it was also found in a folder.
            if key not in found or named:
                found[key] = found.get(key, (file,))[0], named
    yield from found.values()


def content_of(path: str, *, named: bool) -> bytes | None:
    """Return the bytes of a file, at most one more than the reader takes.

    Args:
        path: the file; if it is named, pipes and devices are files as well.
        named: whether it was named, not found in a folder.

    Returns:
        None if it was found in a folder and is no regular file, or is gone.

    Raises:
        OSError: it can't be read.
        ValueError: no file can have that name.
    """
    try:
        # Opening a pipe without a writer would wait forever.
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        if not named and _is_gone(error):
            return None
        raise
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISREG(mode):
            return _read(handle)
        if not named:
            return None
        os.set_blocking(handle, True)
        if content := _read(handle):
            return content
        what = "a pipe" if stat.S_ISFIFO(mode) else "a device"
        raise OSError(errno.ENODATA, f"it is {what} with nothing in it")
    finally:
        os.close(handle)


def _read(handle: int) -> bytes:
    parts, size = [], 0
    while size <= MAX_BYTES and (part := os.read(handle, min(_AT_ONCE, MAX_BYTES + 1 - size))):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _is_gone(error: OSError) -> bool:
    """Return whether an error means that there is no file, or no longer one."""
    # ENXIO is that of a socket.
    return error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO)


def _below(path: str, *, deep: bool) -> Iterator[tuple[str, bool]]:
    if not os.path.isdir(path):  # noqa: PTH112
        yield path, True
        return
    todo = [(path, True)]
    while todo:
        folder, named = todo.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=attrgetter("name"))
        except OSError:
            # Reading it as a file gives the reason.
            yield folder, named
            continue
        prefix = "" if folder == os.curdir else os.path.join(folder, "")  # noqa: PTH118
        below = []
        for entry in entries:
            if _is_folder(entry):
                if deep and _is_searched(entry):
                    below.append((prefix + entry.name, False))
            elif entry.name.endswith(SUFFIXES):
                yield prefix + entry.name, False
        todo += reversed(below)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a folder, or a link to one, which is no file either."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_searched(entry: os.DirEntry[str]) -> bool:
    if entry.name.startswith(".") or entry.name in _SKIPPED or entry.is_symlink():
        return False
    return not os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))  # noqa: PTH110, PTH118


_SPEC_VERSION: Final = b"bai/"
_OWN_WORDS: Final = (
    *(_SPEC_VERSION, b"Experiment", b"BatchAI"),
    *(b"nodeCount", b"stdOutErrPathPrefix", b"vmSize"),
)
"""Words that files of ours have, and few others."""
_WORDS: Final = (b"properties", *_OWN_WORDS)
"""Each of our files has one of these, also with some of its words misspelt."""


def may_be_ours(content: bytes, words: Sequence[bytes] = _WORDS) -> bool:
    """Return whether a file has a word that bai's files have: a prefilter without parsing."""
    if encoding_of(content) != "utf-8":
        # Every other byte of ASCII in UTF-16 is zero.
        content = content.replace(b"\0", b"")
    return any(word in content for word in words)


def specs_in(folder: str) -> list[ParsedFile]:
    """Return the files in a folder, not those in folders below it, that hold specs.

    Files that can't be read or parsed count where they may hold one.
    """
    found = []
    for path, _ in find_files([folder], deep=False):
        try:
            content = content_of(path, named=False)
        except OSError as error:
            what = "folder" if path == folder else "file"
            found.append(ParsedFile(b"", path, folder, unreadable(path, error, what)))
            continue
        if content is not None and may_be_ours(content):
            file = ParsedFile(content, path, os.path.abspath(folder))  # noqa: PTH100
            if _has_spec(file):
                found.append(file)
    return found


def _has_spec(file: ParsedFile) -> bool:
    if file.syntax_errors and _SPEC_VERSION in file.content:
        return True
    return any(is_spec(each.data) and is_surely(each.data) for each in file.documents)


def is_ours(file: ParsedFile) -> bool:
    """Return whether a file is certainly for bai, and for no other tool with similar keys."""
    # A spec is read with places anyway.
    data: Sequence[Any] | None = None if _SPEC_VERSION in file.content else file.data
    if data is None:
        data = [document.data for document in file.documents]
    return any(map(is_surely, data)) if data else may_be_ours(file.content, _OWN_WORDS)
