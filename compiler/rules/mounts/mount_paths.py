"""BAI502: mounts stand side by side below their root.

A mount at a path hides what is there, so that one mount inside of another would be there or not by
the order in which they are made. An absolute path, or one with `..`, would hide parts of the node.

Wrong (job):

    mounts: {data: "azureFile:data", data/images: "azureFile:images"}

Right (job):

    mounts: {data: "azureFile:data", images: "azureFile:images"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.mounts.tree import MountTree, names_of
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.service_variables import CLUSTER_ROOT, JOB_ROOT
from bai.compiler.rules.subject import Subjects
from bai.compiler.rules.volumes import volumes
from bai.specs.findings import Path

_KEY = "relativeMountPath"


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        # The models of specs say the same of the keys of `mounts`.
        if not subject.is_compiled and (found := volumes(subject)):
            paths = [((*each.path, _KEY), each.text(_KEY)) for each in found]
            for path, message, hint in _misplaced([(p, text) for p, text in paths if text]):
                yield Complaint(subject, path, message, hint)
            for path, text in paths:
                if text == "":
                    message, hint = "the mount path is empty", "write a name"
                    yield Complaint(subject, path, message, hint)


def _misplaced(paths: list[tuple[Path, str]]) -> Iterator[tuple[Path, str, str]]:
    """Iterate over (place, message, hint) of the mount paths that can't be."""
    tree = MountTree()
    for place, text in paths:
        names = names_of(text)
        if names and names[0].strip("${}") in (CLUSTER_ROOT, JOB_ROOT):
            message = f"the mount path {text!r} names the mount root, below which it is anyway"
            yield place, message, f"write {'/'.join(names[1:]) or 'a name'}"
        elif text.startswith("/") or ".." in names or not names:
            message = f"the mount path {text!r} leaves the mount root"
            yield place, message, "write a relative path without `..`"
        elif other := tree.add(text):
            message = f"the mount path {text!r} overlaps with {other!r}"
            yield place, message, "mount them side by side"


RULE = Rule("BAI502", "a mount path that overlaps with another, or leaves the root", _check)
