"""What is in a snapshot: its entries with their digests, which make its name."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final

from bai.runtime.code.listing import Entry, EntryKind, Listing
from bai.runtime.errors import StateError
from bai.specs.words import counted, sized

_DIGITS: Final = 32
"""Of the hexadecimal digits of a SHA-256, these make the name: 128 bits."""
_NAMED: Final = 3
"""How many changed files a sentence names."""
_CHUNK: Final = 1 << 20


@dataclass(frozen=True)
class Manifest:
    """The content of a snapshot."""

    entries: Mapping[str, tuple[Entry, str]]
    """Path -> entry and digest of its content; that of a link is of where it leads to."""

    @cached_property
    def name(self) -> str:
        """The name of the snapshot: a digest of paths, kinds and contents."""
        found = hashlib.sha256()
        for path in sorted(self.entries, key=os.fsencode):
            entry, digest = self.entries[path]
            found.update(b"%s %s %s\0" % (entry.kind.encode(), digest.encode(), os.fsencode(path)))
        return found.hexdigest()[:_DIGITS]

    @property
    def words(self) -> str:
        """How much it is: `12 files, 34 kB`."""
        size = sum(entry.size for entry, _ in self.entries.values())
        return f"{counted(len(self.entries), 'file')}, {sized(size)}"

    def as_text(self) -> str:
        """Return it as JSON."""
        rows = [
            [entry.path, entry.kind, entry.size, entry.target, digest]
            for entry, digest in self.entries.values()
        ]
        return json.dumps(rows)

    @classmethod
    def of_text(cls, text: str) -> Manifest:
        """Return the manifest that `as_text` wrote.

        Raises:
            StateError: it did not.
        """
        try:
            rows = [(Entry(p, EntryKind(k), s, t), d) for p, k, s, t, d in json.loads(text)]
        except (ValueError, TypeError) as error:
            raise StateError(f"this is no list of a snapshot's files: {error}") from None
        return cls({entry.path: (entry, digest) for entry, digest in rows})

    def changes(self, older: Manifest) -> str:
        """Return what has changed since an older one: `train.py changed, data.py added; ...`."""
        mine, others = self.entries, older.entries
        added = sorted(mine.keys() - others.keys())
        gone = sorted(others.keys() - mine.keys())
        changed = sorted(
            path
            for path in mine.keys() & others.keys()
            if (mine[path][0].kind, mine[path][1]) != (others[path][0].kind, others[path][1])
        )
        groups = (changed, "changed"), (added, "added"), (gone, "removed")
        found = ", ".join(f"{_listed(paths)} {word}" for paths, word in groups if paths)
        # Perhaps results, which nobody means to be code.
        return f"{found}; {_leaving_out(added, others)}" if added else found


def _leaving_out(added: Iterable[str], older: Collection[str]) -> str:
    """Return what leaves files out that were not there before, in words."""
    folders = {".", *(str(each) for path in older for each in PurePosixPath(path).parents)}
    lines = list(dict.fromkeys(_pattern(PurePosixPath(path), folders) for path in added))
    if len(lines) == 1:
        return f"{lines[0]} in .baiignore leaves it out"
    more = " and so on" if lines[_NAMED:] else ""
    return f"{', '.join(lines[:_NAMED])}{more} in .baiignore leave them out"


def _pattern(path: PurePosixPath, folders: Collection[str]) -> str:
    """Return the line of .baiignore for a file, or for the outermost folder of it that is new."""
    new = [each for each in path.parents if str(each) not in folders]
    return f"/{new[-1]}/" if new else f"/{path}"


def _listed(paths: list[str]) -> str:
    if len(paths) <= _NAMED:
        return ", ".join(paths)
    return f"{', '.join(paths[:_NAMED])} and {len(paths) - _NAMED} more"


def read_manifest(listing: Listing) -> Manifest:
    """Return the manifest of a folder, with digests of its files as they are now.

    Raises:
        OSError: a file can't be read.
    """
    pairs = ((entry, _digest(listing.folder, entry)) for entry in listing.entries)
    return Manifest({entry.path: (entry, digest) for entry, digest in pairs})


def _digest(folder: str, entry: Entry) -> str:
    if entry.kind is EntryKind.LINK:
        return digest_of([os.fsencode(entry.target)])
    with Path(folder, entry.path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of(parts: Iterable[bytes]) -> str:
    """Return the digest of a content in parts."""
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()


def chunks(path: Path) -> Iterator[bytes]:
    """Iterate over the content of a file.

    Raises:
        OSError: it can't be read.
    """
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
