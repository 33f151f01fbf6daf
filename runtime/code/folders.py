"""The folders of code of this machine, each looked at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path

from bai.compiler.resources.code import Code
from bai.runtime.code.listing import Listing, list_folder, unreadable
from bai.runtime.code.manifest import Manifest, read_manifest


class DiskFolders:
    """Looks at folders of code, as the compiler asks for them."""

    def __init__(self, limit: int, own: Callable[[], Collection[Path]]) -> None:
        """Look at folders.

        Args:
            limit: the bytes that each may have.
            own: returns the absolute paths of folders that bai itself and jobs write to.
        """
        self._limit = limit
        self._own = own
        self._found: dict[str, tuple[Code, Manifest | None]] = {}

    def find(self, folder: str) -> Code:
        """Return a folder, given by its absolute path, and its snapshot."""
        return self._look(folder)[0]

    def manifest(self, folder: str) -> Manifest | None:
        """Return what is in a folder; None if it has no snapshot."""
        return self._look(folder)[1]

    def leaves_out(self, folder: str, path: str) -> bool:
        """Return whether a file in a folder is there, but not in its snapshot."""
        manifest = self.manifest(folder)
        is_there = (Path(folder) / path).is_file()
        return manifest is not None and is_there and path not in manifest.entries

    def listing(self, folder: str) -> Listing:
        """Return what is in a folder now."""
        own = {os.fspath(path) for path in self._own()}
        return list_folder(folder, own, self._limit)

    def _look(self, folder: str) -> tuple[Code, Manifest | None]:
        if folder not in self._found:
            self._found[folder] = self._read(folder)
        return self._found[folder]

    def _read(self, folder: str) -> tuple[Code, Manifest | None]:
        listing = self.listing(folder)
        problems = list(listing.problems)
        if not problems:
            try:
                manifest = read_manifest(listing)
                return Code(folder, manifest.name, manifest.words), manifest
            except OSError as error:
                problems.append(unreadable(folder, error))
        return Code(folder, problems=tuple(problems)), None
