"""What is in a folder of code, without what stays out of its snapshot."""

from __future__ import annotations

import os
import posixpath
import stat
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bai.compiler.resources.code import CodeProblem
from bai.runtime.code.ignored import IgnoreRules, is_never_code
from bai.specs.words import counted, sized

MOST_FILES: Final = 100_000
"""More than these no folder of code has: a home folder is not read to its end."""
_NAMED: Final = 3
"""How many of the largest entries a message names."""


class EntryKind(StrEnum):
    """What an entry of a snapshot is."""

    FILE = "file"
    PROGRAM = "program"
    """A file that can be executed."""
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, or a link, of a folder."""

    path: str
    """From the folder."""
    kind: EntryKind
    size: int
    target: str = ""
    """Where a link leads to."""


@dataclass(slots=True)
class Listing:
    """The entries of a folder."""

    folder: str
    entries: list[Entry] = field(default_factory=list)
    """In no order."""
    problems: list[CodeProblem] = field(default_factory=list)
    """What keeps the folder from being taken."""

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(entry.size for entry in self.entries)


def list_folder(folder: str, own: Collection[str], limit: int) -> Listing:
    """List a folder of code.

    Links stay links. Sockets, pipes and devices are left out.

    Args:
        folder: its absolute path.
        own: absolute paths of folders that bai itself and jobs write to.
        limit: the bytes that it may have.
    """
    found = Listing(folder)
    try:
        for entry in _entries(folder, own):
            found.entries.append(entry)
            if len(found.entries) > MOST_FILES:
                break
    except OSError as error:
        found.problems.append(_unlisted(folder, error))
        return found
    found.problems += _leaving(found)
    if found.size > limit or len(found.entries) > MOST_FILES:
        found.problems.append(_too_large(found, limit))
    return found


def _entries(folder: str, own: Collection[str]) -> Iterator[Entry]:
    """Iterate over the entries of a folder.

    Raises:
        OSError: it can't be read.
    """
    todo = [("", IgnoreRules.of(folder))]
    while todo:
        prefix, rules = todo.pop()
        with os.scandir(os.path.join(folder, prefix)) as entries:  # noqa: PTH118 - many files
            for each in entries:
                is_folder = each.is_dir(follow_symlinks=False)
                if is_never_code(each, own) or rules.leave_out(each.name, is_folder=is_folder):
                    continue
                if is_folder:
                    todo.append((f"{prefix}{each.name}/", rules.below(each.name)))
                elif entry := _entry(prefix, each):
                    yield entry


def _entry(prefix: str, found: os.DirEntry[str]) -> Entry | None:
    path = prefix + found.name
    if found.is_symlink():
        return Entry(path, EntryKind.LINK, 0, os.readlink(found.path))  # noqa: PTH115 - many files
    status = found.stat(follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        return None
    kind = EntryKind.PROGRAM if status.st_mode & stat.S_IXUSR else EntryKind.FILE
    return Entry(path, kind, status.st_size)


def unreadable(folder: str, error: OSError) -> CodeProblem:
    """Return the problem that a folder, or something in it, can't be read."""
    message = f"can't read {error.filename or folder}: {error.strerror}"
    return CodeProblem("BAI521", message, "make it readable, or leave it out in .baiignore")


def _unlisted(folder: str, error: OSError) -> CodeProblem:
    if isinstance(error, FileNotFoundError) and error.filename == folder + "/":
        message = f"there is no folder {folder}"
        return CodeProblem("BAI521", message, "make it, or correct its path")
    if isinstance(error, NotADirectoryError):
        return CodeProblem("BAI521", f"{folder} is a file", "write the folder that holds it")
    return unreadable(folder, error)


def _leaving(found: Listing) -> Iterator[CodeProblem]:
    """Iterate over the links that lead out of their folder: in a snapshot they lead to nothing."""
    for entry in found.entries:
        if entry.kind is not EntryKind.LINK:
            continue
        leads = posixpath.normpath(posixpath.join(posixpath.dirname(entry.path), entry.target))
        if leads.startswith("/") or leads.split("/")[0] == "..":
            message = f"the link {entry.path} leads out of the folder, to {entry.target}"
            hint = "copy what it leads to, mount that, or leave the link out in .baiignore"
            yield CodeProblem("BAI518", message, hint)


def _too_large(found: Listing, limit: int) -> CodeProblem:
    sizes: Counter[str] = Counter()
    for entry in found.entries:
        sizes[entry.path.partition("/")[0]] += entry.size
    ordered = sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))
    largest = ", ".join(f"{name} ({sized(size)})" for name, size in ordered[:_NAMED])
    message = f"the code is {sized(found.size)}, more than {sized(limit)}: {largest}"
    if len(found.entries) > MOST_FILES:
        message = f"the code is more than {counted(MOST_FILES, 'file')}, most of it in {largest}"
    hint = (
        "leave out in .baiignore what jobs do not need, mount data instead, "
        "or raise code-limit in the context"
    )
    return CodeProblem("BAI519", message, hint)
