"""What apply has done, for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import IO, Any

from bai.compiler.resources.ids import ResourceId
from bai.experiment import Result
from bai.handle import JobHandle
from bai.session import Session


def print_applied(result: Result, session: Session, output: str, file: IO[str]) -> None:
    """Print the resources and jobs of a result.

    Args:
        result: what to print.
        session: where it lives.
        output: `name` for a line each, `json` for an array of objects.
        file: where to.
    """
    if output == "name":
        file.writelines(f"{session.label(step.change.resource.id)}\n" for step in result.applied)
        return
    jobs = {job.id: job for job in result.jobs.values()}
    data = []
    for step in result.applied:
        job = jobs.get(step.change.resource.id)
        data.append(_resource(step.change.resource.id, step.word) | (_attempt(job) if job else {}))
    file.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def print_dry(results: Mapping[ResourceId, str], output: str, file: IO[str]) -> None:
    """Print the result of a dry run.

    Args:
        results: resource -> what was, or would be, done with it.
        output: `name` for a line each, `json` for an array of objects.
        file: where to.
    """
    if output == "name":
        file.writelines(f"{id.kind.singular}/{id.short_name(results)}\n" for id in results)
        return
    data = [_resource(id, word) for id, word in results.items()]
    file.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def _resource(id: ResourceId, word: str) -> dict[str, Any]:
    return {"kind": id.kind.singular, "name": id.name, "id": str(id), "result": word}


def _attempt(job: JobHandle) -> dict[str, Any]:
    attempt = job.attempt
    return {
        "attempt": attempt.number,
        "state": attempt.state.value,
        "exitCode": attempt.exit_code,
        "errors": [{"code": error.code, "message": error.message} for error in attempt.errors],
        # JSON has neither NaN nor infinity.
        "metrics": {k: v if isfinite(v) else None for k, v in job.final_metrics().items()},
        "logs": str(job.log_folder),
        "outputs": {name: str(path) for name, path in job.outputs.items()},
    }
