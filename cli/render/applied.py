"""What apply has done, for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import IO, TYPE_CHECKING, Any

from bai.compiler.resources.ids import ResourceId

if TYPE_CHECKING:
    from bai.handle import JobHandle


def print_results(
    results: Mapping[ResourceId, str],
    output: str,
    file: IO[str],
    label: Callable[[ResourceId], str] | None = None,
    jobs: Iterable[JobHandle] = (),
) -> None:
    """Print what was done with resources, or what would be in a dry run.

    Args:
        results: resource -> what was, or would be, done with it.
        output: `name` for a line each, `json` for an array of objects.
        file: where to.
        label: returns the names of resources; by default the shortest among these.
        jobs: those of the resources that run or have run, whose attempts are printed as well.
    """
    if output == "name":
        short = label or (lambda id: f"{id.kind.singular}/{id.short_name(results)}")
        file.writelines(f"{short(id)}\n" for id in results)
        return
    attempts = {job.id: _attempt(job) for job in jobs}
    data = [
        {"kind": id.kind.singular, "name": id.name, "id": str(id), "result": word}
        | attempts.get(id, {})
        for id, word in results.items()
    ]
    file.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


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
