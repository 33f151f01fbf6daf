"""The paths of mounts as a tree: one walk tells whether a path is on a mount, of however many."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto
from typing import Any, Final

_ODD = re.compile(r"[^-\w./]")
"""Characters that may end a path in a command."""
_LONGEST_NAME: Final = 255
"""Characters of a name that Linux takes."""


class Place(Enum):
    """Where a path stands among mounts."""

    ON = auto()
    """At a mount, or below one."""
    ABOVE = auto()
    """Nearer to the root than some mount."""
    BESIDE = auto()
    """Neither."""


class MountTree:
    """Mount paths below one root."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        """Make a tree of paths."""
        # A node maps names to nodes, and the empty name to the path that ends there.
        self._root: dict[str, Any] = {}
        self.paths: list[str] = []
        """The paths that have been added, as they were written."""
        self._has_odd_names = False
        for path in paths:
            self.add(path)

    def add(self, path: str) -> str | None:
        """Add a path, and return one that it overlaps with, if there is one."""
        self.paths.append(path)
        self._has_odd_names = self._has_odd_names or _ODD.search(path) is not None
        node = self._root
        for name in names_of(path):
            if other := node.get(""):
                return str(other)
            node = node.setdefault(name, {})
        other = node.get("")
        if node and not other:
            below = node
            while "" not in below:
                below = next(iter(below.values()))
            other = below[""]
        node[""] = path
        return str(other) if other else None

    def find(self, path: str) -> tuple[Place, str]:
        """Return where a path stands, and its shortest beginning that leads to no mount."""
        node = self._root
        names = names_of(path)
        for index, name in enumerate(names):
            if "" in node:
                return Place.ON, path
            if name not in node:
                return Place.BESIDE, "/".join(names[: index + 1])
            node = node[name]
        return (Place.ON if "" in node else Place.ABOVE), path

    def covers_begin_of(self, text: str) -> bool:
        """Return whether a text begins with a mount whose name ends a path elsewhere: `my data`."""
        if not self._has_odd_names:
            return False
        node = self._root
        for name in names_of(text):
            # Where `name` goes on with something else, the mount's own name may end.
            for end in (match.start() for match in _ODD.finditer(name[:_LONGEST_NAME])):
                if "" in node.get(name[:end], ()):
                    return True
            if name not in node:
                return False
            node = node[name]
            if "" in node:
                return True
        return False


def names_of(path: str) -> list[str]:
    """Return the names that a path is made of."""
    return [name for name in path.split("/") if name not in ("", ".")]
