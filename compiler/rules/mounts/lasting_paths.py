"""BAI507: logs and outputs stand on a mount, where they can be found afterwards.

Logs and outputs stay where the path before them leads. On a mount they outlive the job; anywhere
else, in `$AZ_BATCHAI_JOB_TEMP` for one, they stand on the node's own disk: no command lists or
downloads them, and they go with the node. That holds for the mount roots themselves as well, which
are directories of the node, and for the logs of a setup task, which has its cluster's mounts only.

Wrong (job):

    outputs: {MODEL: $AZ_BATCHAI_JOB_TEMP/model}

Right (job):

    outputs: {MODEL: "${mounts.data}/model"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.compiler.rules.mounts.roots import OWNERS, Mounts, below
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.service_variables import CLUSTER_ROOT, JOB_ROOT, TEMPORARY
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.variable_uses import Use, uses_in
from bai.compiler.rules.volumes import is_expression
from bai.specs.findings import Path, Severity

_UNRESOLVED = "${"
"""How a short reference begins that names nothing, which is an error of its own."""


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in (*subjects.jobs, *subjects.clusters):
        for what, path in _prefixes(subject):
            prefix = subject.text(*path)
            if prefix is None or is_expression(prefix):
                continue
            uses = uses_in(subject, path)
            use = uses[0] if uses and uses[0].start == 0 else None
            if (fate := _fate(subject, use, prefix, subjects)) is None:
                continue
            message = f"the {what} would stand {fate} and be lost with the node"
            yield Complaint(subject, path, message, f"begin the path with {_form(subject)}")


def _fate(subject: Subject, use: Use | None, prefix: str, subjects: Subjects) -> str | None:
    """Return where something would stand that stands on no mount; None if it is not certain."""
    if use is None:
        return None if prefix.startswith(_UNRESOLVED) else "on no mount"
    if use.name in TEMPORARY:
        return "in a directory of the job"
    # That other variables make no paths is the concern of other rules.
    if use.name not in OWNERS or (use.name == JOB_ROOT and subject.kind is Kind.CLUSTER):
        return None
    place = below(use)
    if place.path == ".." or place.path.startswith("../"):
        return "outside the mount root"
    if place.path == ".":
        return None if _goes_on(use) else "in the mount root itself"
    known = Mounts.seen_by(subject, subjects).at(use.name)
    if known is None or any(map(place.is_on, known)) or not any(map(place.leads_to, known)):
        return None
    return "beside the mounts"


def _goes_on(use: Use) -> bool:
    """Return whether a path goes on with something that only the service can tell."""
    return use.rest.strip("/.") != ""


def _prefixes(subject: Subject) -> Iterator[tuple[str, Path]]:
    if subject.kind is Kind.CLUSTER:
        yield "setup task's logs", ("properties", "nodeSetup", "setupTask", "stdOutErrPathPrefix")
        return
    yield "logs", ("properties", "stdOutErrPathPrefix")
    for path, entry in subject.entries("properties", "outputDirectories"):
        yield f"output {entry.get('id')}", (*path, "pathPrefix")


def _form(subject: Subject) -> str:
    if subject.is_compiled:
        return "${mounts.NAME}"
    return f"${CLUSTER_ROOT if subject.kind is Kind.CLUSTER else JOB_ROOT}/NAME"


RULE = Rule("BAI507", "logs or outputs stand on no mount", _check, Severity.WARNING)
