"""BAI515: a part of a path stays below what it is a part of.

`pathSuffix` leads on from the job's own directory of outputs, `sourceDirectory` from the top of a
file server. With `..` they would leave it, for what belongs to another job or to the machine.

Wrong (job):

    outputs: {MODEL: {path: "${mounts.data}", suffix: ../../models}}

Right (job):

    outputs: {MODEL: {path: "${mounts.data}", suffix: models}}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.volumes import volumes
from bai.specs.findings import Path


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        for path, text, whole in _parts(subject):
            if ".." in text and _leaves(text):
                message, hint = f"{text!r} leads out of {whole}", "write a path without `..`"
                yield Complaint(subject, path, message, hint)


def _parts(subject: Subject) -> Iterator[tuple[Path, str, str]]:
    """Iterate over (path, text, what it is a part of)."""
    for volume in volumes(subject):
        if (source := volume.text("sourceDirectory")) is not None:
            yield (*volume.path, "sourceDirectory"), source, "the file server"
    if subject.kind is Kind.JOB:
        for path, entry in subject.entries("properties", "outputDirectories"):
            if isinstance(suffix := entry.get("pathSuffix"), str):
                yield (*path, "pathSuffix"), suffix, "the job's outputs"


def _leaves(text: str) -> bool:
    return posixpath.normpath(text.lstrip("/")).split("/")[0] == ".."


RULE = Rule("BAI515", "a path that leaves the directory it belongs to", _check)
