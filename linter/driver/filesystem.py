"""The files of this machine, for rules that look at scripts."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from typing import Any, Final

_MOST_KEPT: Final = 64
"""Files and folders whose content is cached: many jobs run the same few scripts."""


class LocalFiles:
    """Files with a cache. A file is read again only if its time or size has changed."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self._contents: dict[tuple[str, int, int], bytes] = {}
        self._folders: dict[tuple[str, int], Collection[str]] = {}

    def names(self, folder: str) -> Collection[str] | None:
        """Return the names in a folder, or None if there is no such folder."""
        try:
            status = os.stat(folder)  # noqa: PTH116 - here and below: paths are texts
            key = (folder, status.st_mtime_ns)
            if key not in self._folders:
                _make_room(self._folders)
                self._folders[key] = frozenset(os.listdir(folder))  # noqa: PTH208
            return self._folders[key]
        except (OSError, ValueError):
            return None

    def exists(self, path: str) -> bool:
        """Return whether there is anything at a path."""
        try:
            os.stat(path)  # noqa: PTH116
        except (FileNotFoundError, NotADirectoryError):
            return False
        except (OSError, ValueError):
            # Something is there, or the path is not valid; neither is certainly missing.
            return True
        return True

    def read(self, path: str, most: int) -> bytes | None:
        """Return a file's content, or None if there is none or it has more than `most` bytes.

        Pipes and devices, which might never end, are not opened.
        """
        try:
            status = os.stat(path)  # noqa: PTH116
            if not stat.S_ISREG(status.st_mode) or status.st_size > most:
                return None
            key = (path, status.st_mtime_ns, status.st_size)
            if key not in self._contents:
                with open(path, "rb") as file:  # noqa: PTH123
                    content = file.read(most + 1)
                _make_room(self._contents)
                self._contents[key] = content
            content = self._contents[key]
        except (OSError, ValueError):
            return None
        return content if len(content) <= most else None


def _make_room(kept: dict[Any, Any]) -> None:
    if len(kept) >= _MOST_KEPT:
        del kept[next(iter(kept))]
