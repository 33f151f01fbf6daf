"""BAI507: logs and outputs stand where they can be found after the job."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.specs.findings import Path, Severity

_LASTING = (
    "$AZ_BATCHAI_MOUNT_ROOT",
    "$AZ_BATCHAI_JOB_MOUNT_ROOT",
    "${AZ_BATCHAI_MOUNT_ROOT}",
    "${AZ_BATCHAI_JOB_MOUNT_ROOT}",
)


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        prefixes: list[tuple[Path, str]] = [
            (("properties", "stdOutErrPathPrefix"), job.properties.std_out_err_path_prefix)
        ]
        for index, output in enumerate(job.properties.output_directories or []):
            path: Path = ("properties", "outputDirectories", index, "pathPrefix")
            prefixes.append((path, output.path_prefix))
        for path, prefix in prefixes:
            if not prefix.startswith(_LASTING):
                what = "the logs" if path[1] == "stdOutErrPathPrefix" else "the output"
                message = f"{what} would stand on no mount and be lost with the node"
                yield Complaint(resource, path, message, "begin the path with ${mounts.NAME}")


RULE = Rule("BAI507", "logs or outputs stand on no mount", _check, Severity.WARNING)
