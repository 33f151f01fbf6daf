"""`processesPerNode: gpu`: one process for each GPU of a job's nodes.

The number is found twice. The compiler knows the GPUs of Azure's sizes, so that what it makes is
plain Batch AI, with a processCount. Where a job is run on other machines, theirs count: they are
known when a plan is made, and the number is set once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bai.compiler.batchai import vm_sizes
from bai.compiler.compilation import Compilation
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.specs.codes import make_finding
from bai.specs.document import value_at
from bai.specs.findings import Finding, Path
from bai.specs.toolkits import IN_SPECS
from bai.specs.words import counted

_WORKERS: Final = "tensorFlowSettings"
"""The toolkit whose processes are counted as workers."""


def gpus_of_size(vm_size: str | None) -> int | None:
    """Return how many GPUs a size of Azure's has; None if it is none that is known."""
    size = vm_sizes.find(vm_size) if vm_size else None
    return size.gpus if size else None


def check_counts(compilation: Compilation) -> Iterator[Finding]:
    """Yield a finding for each job whose processes can't be counted without its machines."""
    for job in compilation.of_kind(Kind.JOB):
        if job.per_gpu and value_at(job.wire, path := _count_path(job)) is None:
            message = "nothing says how many GPUs the job's nodes have"
            hint = f"write the vmSize of its cluster, or a number: {_key(path)}: 4"
            yield make_finding("BAI809", message, job.span(*path), hint)


def with_gpus(
    compilation: Compilation, gpus: int | None, max_processes: int | None = None
) -> Compilation:
    """Return a compilation whose jobs have one process for each GPU that their nodes really have.

    Args:
        compilation: what the compiler made.
        gpus: how many each node has where the jobs will run; None where only Azure's sizes say it.
        max_processes: most processes of a job, if it is to run smaller: enough for nodes without
            GPUs.
    """
    if gpus is None:
        return replace(compilation, findings=(*compilation.findings, *check_counts(compilation)))
    findings: list[Finding] = []
    notes: list[str] = []

    def counted_again(job: Resource) -> Resource:
        if not job.per_gpu:
            return job
        wire = job.to_wire()
        path = _count_path(job)
        known = value_at(wire, path, 0)
        nodes = wire["properties"]["nodeCount"]
        count = gpus * nodes or (max_processes and max(known, max_processes))
        if not count:
            message = "the job has one process for each GPU, and this machine has none"
            hint = (
                f"write a number, {_key(path)}: 2 for example, or add --max-processes 2; in "
                "Python: limits=bai.Limits(max_processes=2)"
            )
            findings.append(make_finding("BAI809", message, job.span(*path), hint))
            return job
        value_at(wire, path[:-1])[path[-1]] = count
        if gpus:
            processes = counted(count, "process", "processes")
            notes.append(f"job {job.id.name}: {processes}, for {counted(gpus, 'GPU')} of each node")
        return replace(job, wire=wire)

    resources = tuple(map(counted_again, compilation.resources))
    return replace(
        compilation,
        resources=resources,
        findings=(*compilation.findings, *findings),
        notes=(*compilation.notes, *notes),
    )


def _count_path(job: Resource) -> Path:
    """Return the wire path of the number of a job's processes."""
    name = next(key for key in job.wire["properties"] if key in IN_SPECS)
    return ("properties", name, "workerCount" if name == _WORKERS else "processCount")


def _key(path: Path) -> str:
    """Return the key of a spec for the number on each node, from the wire path of the total."""
    return "workersPerNode" if path[-1] == "workerCount" else "processesPerNode"
