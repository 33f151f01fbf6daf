"""BAI507: logs and outputs stand where they can be found after the job."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.specs.findings import Path, Severity

_LASTING = re.compile(r"\$(\{AZ_BATCHAI_(JOB_)?MOUNT_ROOT\}|AZ_BATCHAI_(JOB_)?MOUNT_ROOT)(?!\w)")
_UNRESOLVED = re.compile(r"\$\{\w+\.")
"""A short reference that names nothing, which is an error of its own."""


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        prefixes: list[tuple[str, Path, str]] = [
            ("logs", ("properties", "stdOutErrPathPrefix"), job.properties.std_out_err_path_prefix)
        ]
        for index, output in enumerate(job.properties.output_directories or []):
            path: Path = ("properties", "outputDirectories", index, "pathPrefix")
            prefixes.append((f"output {output.id}", path, output.path_prefix))
        for what, path, prefix in prefixes:
            if not _LASTING.match(prefix) and not _UNRESOLVED.match(prefix):
                message = f"the {what} would stand on no mount and be lost with the node"
                yield Complaint(resource, path, message, "begin the path with ${mounts.NAME}")


RULE = Rule("BAI507", "logs or outputs stand on no mount", _check, Severity.WARNING)
