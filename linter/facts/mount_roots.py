"""The two mount roots: the mounts below them, and the paths that begin with their variables."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT
from bai.compiler.resources.ids import Kind
from bai.linter.cache import cached
from bai.linter.context import RuleContext
from bai.linter.facts.memo import memo
from bai.linter.facts.variables import Use, variable_uses
from bai.linter.facts.volumes import mount_paths
from bai.linter.resource_view import ResourceView

OWNERS: Final = {CLUSTER_ROOT: "cluster", JOB_ROOT: "job"}
"""Variable of a mount root -> whose mounts are below it."""

_ODD: Final = re.compile(r"[^-\w./]")
"""Characters that may end a path in a command."""
_LONGEST_NAME: Final = 255
"""Characters of a name that Linux takes."""
_LONGEST: Final = 4096
"""Characters of a path that Linux takes."""
_PATH: Final = re.compile(r"""["']?((?:/[^\s"'`;|&()<>:,=$*?\[\]{}\\~#]*)?)(.?)""", re.DOTALL)
"""A path behind a variable, up to what the shell takes for itself, and the character there."""
_OPEN_END: Final = frozenset("$*?[{\\~`(")
"""Characters that mean that a name goes on, but not how."""


class Position(Enum):
    """The position of a path among mounts."""

    MOUNTED = auto()
    """At a mount, or below one."""
    PARENT = auto()
    """A directory that some mount is below."""
    UNMOUNTED = auto()
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

    def find(self, path: str) -> tuple[Position, str]:
        """Return a path's position, and its shortest prefix that leads to no mount."""
        node = self._root
        names = names_of(path)
        for index, name in enumerate(names):
            if "" in node:
                return Position.MOUNTED, path
            if name not in node:
                return Position.UNMOUNTED, "/".join(names[: index + 1])
            node = node[name]
        return (Position.MOUNTED if "" in node else Position.PARENT), path

    def covers_begin_of(self, text: str) -> bool:
        """Return whether a text begins with a mount whose name has odd characters: `my data`."""
        if not self._has_odd_names:
            return False
        node = self._root
        for name in names_of(text):
            # The mount's own name may end at any odd character of `name`.
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
    """Return the names in a path."""
    return [name for name in path.split("/") if name not in ("", ".")]


class RootPath(NamedTuple):
    """A path that begins with the variable of a mount root."""

    use: Use
    path: str
    """Its normal form from the root on, `.` for the root itself."""
    rest: str
    """What follows the first slashes: mounts may have names with what ends a path above."""

    @property
    def leaves_root(self) -> bool:
        """Whether it leads out of the root."""
        return self.path.startswith("..")

    def among(self, mounts: MountTree) -> tuple[Position, str]:
        """Return its position, and its shortest prefix that leads to no mount."""
        found = mounts.find(self.path)
        if found[0] is not Position.MOUNTED and mounts.covers_begin_of(self.rest):
            return Position.MOUNTED, self.path
        return found


@memo
def root_paths(resource: ResourceView) -> Sequence[RootPath]:
    """Return all paths of a resource that begin with the variable of a mount root."""
    return [
        RootPath(use, *_path(use.text[use.end : use.end + _LONGEST]))
        for use in variable_uses(resource)
        if use.name in OWNERS
    ]


@cached
def _path(text: str) -> tuple[str, str]:
    """Return `path` and `rest` of the path that a text behind a variable begins with.

    A last name that is not written in full (`data-$N`, `data*`) is left out of it.
    """
    match = _PATH.match(text)
    assert match
    path, following = match.groups()
    if following in _OPEN_END and following:
        path = path.rpartition("/")[0]
    if path.endswith(".") and not path.endswith(("/.", "/..")):
        path = path.rstrip(".")  # the end of a sentence
    path = path.strip("/") or "."
    if "//" in path or "." in path:
        path = posixpath.normpath(path)
    return path, text.lstrip("\"'/")


@memo
def visible_mounts(resource: ResourceView, context: RuleContext) -> Mapping[str, MountTree | None]:
    """Return mount root -> the mounts there that a job or a setup task sees; None if not known."""
    if resource.kind is Kind.CLUSTER:
        return {JOB_ROOT: None, CLUSTER_ROOT: _mounts(resource)}
    cluster = context.cluster_of(resource)
    return {JOB_ROOT: _mounts(resource), CLUSTER_ROOT: _mounts(cluster) if cluster else None}


@memo
def _mounts(resource: ResourceView) -> MountTree | None:
    paths = mount_paths(resource)
    return None if paths is None else MountTree(paths)
