"""BAI706: a distributed TensorFlow job tells workers and parameter servers their arguments."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.specs.findings import Severity


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        settings = job.properties.tensor_flow_settings
        if settings is None:
            continue
        counts = (settings.worker_count, settings.parameter_server_count)
        if job.properties.node_count == 1 and counts == (None, None):
            continue
        arguments = {
            "workerArgs": settings.worker_command_line_args,
            "parameterServerArgs": settings.parameter_server_command_line_args,
        }
        if absent := [name for name, value in arguments.items() if value is None]:
            message = f"a distributed job without {' and '.join(absent)}"
            hint = "Batch AI wants them as soon as there is more than one process"
            yield Complaint(resource, ("properties", "tensorFlowSettings"), message, hint)


RULE = Rule("BAI706", "a distributed TensorFlow job lacks arguments", _check, Severity.WARNING)
