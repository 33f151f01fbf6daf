"""BAI507: logs and outputs stand on a mount, where they can be found afterwards.

Logs and outputs stay where the path before them leads. On a mount they outlive the job; anywhere
else, in `$AZ_BATCHAI_JOB_TEMP` for example, they stand on the node's own disk: no command lists or
downloads them, and they go with the node. That holds for the mount roots themselves as well, which
are directories of the node, and for the logs of a setup task, which has its cluster's mounts only.

Wrong (job):

    outputs: {MODEL: $AZ_BATCHAI_JOB_TEMP/model}

Right (job):

    outputs: {MODEL: "${mounts.data}/model"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.expressions import is_expression
from bai.compiler.resources.ids import Kind
from bai.compiler.rules.mounts.roots import Below, Mounts, root_uses
from bai.compiler.rules.mounts.tree import Place
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.service_variables import CLUSTER_ROOT, JOB_ROOT, TEMPORARY
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.variable_uses import Use, variable_uses
from bai.specs.findings import Path, Severity

_WRONG = ("${", "$(", "%", "AZ_BATCH")
"""How paths begin in which a reference or a variable is wrong, which is an error of its own."""


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in (*subjects.jobs, *subjects.clusters):
        roots = {use.path: (use, place) for use, place in root_uses(subject) if use.start == 0}
        leading = {use.path: use.name for use in variable_uses(subject) if use.start == 0}
        for what, path in _prefixes(subject):
            prefix = subject.text(*path)
            if prefix is None:
                continue
            if path in roots:
                fate = _beside(subject, *roots[path], subjects)
            else:
                fate = _elsewhere(prefix, leading.get(path))
            if fate:
                message = f"the {what} would stand {fate} and be lost with the node"
                yield Complaint(subject, path, message, f"begin the path with {_form(subject)}")


def _elsewhere(prefix: str, variable: str | None) -> str | None:
    """Return where something would stand that is below no mount root; None if it is not certain.

    `variable` is what the path begins with, if it is like a variable of the service.
    """
    if variable:
        # That other variables make no paths is the concern of other rules.
        return "in a directory of the job" if variable in TEMPORARY else None
    return None if prefix.startswith(_WRONG) or is_expression(prefix) else "on no mount"


def _beside(subject: Subject, use: Use, place: Below, subjects: Subjects) -> str | None:
    """Return where something would stand that is below a mount root, but on no mount."""
    if use.name == JOB_ROOT and subject.kind is Kind.CLUSTER:
        return None
    if place.path == ".." or place.path.startswith("../"):
        return "outside the mount root"
    if place.path == ".":
        return None if _goes_on(use) else "in the mount root itself"
    known = Mounts.seen_by(subject, subjects).at(use.name)
    is_above = known is not None and place.among(known)[0] is Place.ABOVE
    return "beside the mounts" if is_above else None


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


RULE = Rule(
    "BAI507", "logs or outputs that stand on no mount", _check, Severity.WARNING, needs_cluster=True
)
