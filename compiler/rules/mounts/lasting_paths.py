"""BAI507: logs and outputs stand where they can be found after the job.

A node's own disk is gone with the node, and a job's temporary folder with the next job. Only what
is written to a mount outlasts them.

Wrong (job):

    logs: /tmp/logs

Right (job):

    logs: ${mounts.data}/logs
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.compiler.expressions import is_expression
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subject, Subjects
from bai.specs.findings import Path, Severity

_LASTING = re.compile(r"\$(\{AZ_BATCHAI_(JOB_)?MOUNT_ROOT\}|AZ_BATCHAI_(JOB_)?MOUNT_ROOT)(?!\w)")
_UNRESOLVED = re.compile(r"\$\{\w+\.")
"""A short reference that names nothing, which is an error of its own."""


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for job in subjects.jobs:
        for what, path in _prefixes(job):
            prefix = job.text(*path)
            if (
                prefix is None
                or is_expression(prefix)
                or _LASTING.match(prefix)
                or _UNRESOLVED.match(prefix)
            ):
                continue
            message = f"the {what} would stand on no mount and be lost with the node"
            form = "${mounts.NAME}" if job.is_compiled else "$AZ_BATCHAI_JOB_MOUNT_ROOT/NAME"
            yield Complaint(job, path, message, f"begin the path with {form}")


def _prefixes(job: Subject) -> Iterator[tuple[str, Path]]:
    yield "logs", ("properties", "stdOutErrPathPrefix")
    for path, entry in job.entries("properties", "outputDirectories"):
        yield f"output {entry.get('id')}", (*path, "pathPrefix")


RULE = Rule("BAI507", "logs or outputs stand on no mount", _check, Severity.WARNING)
