"""Paths below the two mount roots."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT
from bai.compiler.resources.ids import Kind
from bai.linter.cache import cached, remembered_of_several
from bai.linter.context import RuleContext
from bai.linter.facts.memo import memo
from bai.linter.facts.tree import MountTree, Place
from bai.linter.facts.variable_uses import Use, variable_uses
from bai.linter.facts.volumes import mount_paths
from bai.linter.resource_view import ResourceView

OWNERS: Final = {CLUSTER_ROOT: "cluster", JOB_ROOT: "job"}
"""Variable of a mount root -> whose mounts are below it."""

_PATH: Final = re.compile(r"""["']?((?:/[^\s"'`;|&()<>:,=$*?\[\]{}\\~#]*)?)(.?)""", re.DOTALL)
"""A path behind a variable, up to what the shell takes for itself, and the character there."""
_LONGEST: Final = 4096
"""Characters of a path that Linux takes."""
_OPEN_END: Final = frozenset("$*?[{\\~`(")
"""Characters that mean that a name goes on, but not how."""


class Below(NamedTuple):
    """What follows the variable of a mount root."""

    path: str
    """The path in its normal form, `.` for the root itself."""
    rest: str
    """What follows the first slashes: mounts may have names with what ends a path above."""

    def among(self, mounts: MountTree) -> tuple[Place, str]:
        """Return where the path stands, and its shortest beginning that leads to no mount."""
        found = mounts.find(self.path)
        if found[0] is not Place.ON and mounts.covers_begin_of(self.rest):
            return Place.ON, self.path
        return found


@memo
def root_uses(resource: ResourceView) -> Sequence[tuple[Use, Below]]:
    """Return every use of a mount root's variable, with the path that it begins."""
    return [
        (use, _below(use.text[use.end : use.end + _LONGEST]))
        for use in variable_uses(resource)
        if use.name in OWNERS
    ]


@cached
def _below(text: str) -> Below:
    """Return the path that goes on, behind the variable of a mount root, with a text.

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
    return Below(path, text.lstrip("\"'/"))


class Mounts(NamedTuple):
    """The mounts below each root, as a job or a setup task sees them."""

    of_job: MountTree | None
    of_cluster: MountTree | None
    """None, like the above, where they are not known."""

    @classmethod
    def seen_by(cls, resource: ResourceView, context: RuleContext) -> Mounts:
        """Return the mounts that a job or a cluster's setup task sees."""
        if resource.kind is Kind.CLUSTER:
            return cls(None, _tree(resource))
        cluster = context.cluster_of(resource)
        return cls(_tree(resource), _tree(cluster) if cluster else None)

    def at(self, root: str) -> MountTree | None:
        """Return the mounts below the root with the given variable."""
        return self.of_job if root == JOB_ROOT else self.of_cluster


@memo
def _tree(resource: ResourceView) -> MountTree | None:
    paths = mount_paths(resource)
    return None if paths is None else _tree_of(tuple(paths))


@remembered_of_several
def _tree_of(paths: Sequence[str]) -> MountTree:
    return MountTree(paths)
