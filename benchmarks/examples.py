"""Each Horovod example by `bai apply` against the same commands with bare `horovodrun`: wall time.

Both prepare the data and train, in an empty folder each time, for an epoch or two: what bai adds is
before and after. The peer runs the very command lines that the spec compiles to, with plain folders
in place of mounts. All take turns for `BENCHMARK_SECONDS`, by default 400, and each at least one.
`BENCHMARK_EXAMPLES=cifar10,digits` chooses some.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measure import BIN, Result, paired, seconds

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tools"))

from run_examples import Run, runs  # noqa: E402 - a script of its own

SECONDS = float(os.environ.get("BENCHMARK_SECONDS", "400"))
SHORTER = {
    "cifar10": ("epochs=2",),
    "horovod-benchmark": ("num_batches=20",),
    "resnet50-imagenet": ("epochs=1",),
    "retinanet-coco": ("epochs=2", "images=200"),
}
"""Parameters of examples that train for a minute."""


def results() -> Iterator[Result]:
    """Measure all examples that are Horovod jobs, or those that were chosen."""
    chosen = [name for name in os.environ.get("BENCHMARK_EXAMPLES", "").split(",") if name]
    found = list(runs(chosen))
    begun = time.monotonic()
    for python in {run.python for run in found}:
        for framework in ("torch", "tensorflow"):
            # Neither side is to pay for what the other one finds in memory.
            warm_up = [python, "-c", f"import horovod.{framework}"]
            subprocess.run(warm_up, capture_output=True, check=False)
    for number, run in enumerate(found):
        bodies = _compiled(run)
        jobs = [each for each in bodies if "horovodSettings" in each]
        if len(jobs) == 1:
            left = SECONDS - (time.monotonic() - begun)
            until = time.monotonic() + left / (len(found) - number)
            yield _measure(run, jobs[0], sorted(_mounts(bodies)), until)


def _pairs(
    ours: Callable[[], float], peer: Callable[[], float], until: float
) -> list[tuple[float, float]]:
    """Return a pair of seconds, and others while there is time, begun by either in turns."""
    found: list[tuple[float, float]] = []
    while not found or time.monotonic() + sum(found[-1]) <= until:
        if len(found) % 2:
            second = peer()
            found.append((ours(), second))
        else:
            first = ours()
            found.append((first, peer()))
    return found


def _measure(run: Run, job: Mapping[str, Any], mounts: Sequence[str], until: float) -> Result:
    base = {k: v for k, v in os.environ.items() if not k.startswith(("BAI_", "AZ_BATCHAI_"))}
    base["PATH"] = f"{run.python.parent}{os.pathsep}{base['PATH']}"
    # Ranks that share a machine get the same number of threads each; bare horovodrun sets none.
    ranks = job["horovodSettings"].get("processCount", job["nodeCount"])
    base["OMP_NUM_THREADS"] = str(max(1, len(os.sched_getaffinity(0)) // ranks))

    def ours() -> float:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            run.write_context(Path(folder))
            return seconds([BIN / "bai", "apply", *_arguments(run)], Path(folder), base)

    def peer() -> float:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            command = ["bash", "-ec", _script(run, job, ranks)]
            for mount in mounts:
                (Path(folder) / mount).mkdir(parents=True)
            return seconds(command, run.path.parent, base | _variables(run, job, Path(folder)))

    name = f"{run.path.parent.name} with {run.framework}, {ranks} ranks: wall"
    return paired(name, _pairs(ours, peer, until), "s", "ratio <= 1.05")


def _arguments(run: Run) -> list[str]:
    """Return what `bai apply` and `bai compile` take."""
    words = [word for each in SHORTER.get(run.path.parent.name, ()) for word in ("-p", each)]
    return [*run.arguments, *words]


def _compiled(run: Run) -> list[dict[str, Any]]:
    """Return the properties of the resources that an example compiles to."""
    command = [BIN / "bai", "compile", *_arguments(run)]
    text = subprocess.run(command, capture_output=True, check=True).stdout
    return [each.get("properties", {}) for each in json.loads(text)]


def _mounts(bodies: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Iterate over the paths of all mounts, of clusters and of jobs, below the mount root."""
    for body in bodies:
        volumes = body.get("nodeSetup", body).get("mountVolumes", {})
        yield from (each["relativeMountPath"] for kind in volumes.values() for each in kind)


def _script(run: Run, job: Mapping[str, Any], ranks: int) -> str:
    """Return what somebody without bai would type; bash fills in the variables."""
    horovod = job["horovodSettings"]
    launcher = shlex.join([str(run.python.with_name("horovodrun")), "-np", str(ranks), "--gloo"])
    words = [launcher, str(run.python), horovod["pythonScriptFilePath"]]
    lines = [job.get("jobPreparation", {}).get("commandLine", ":")]
    return "\n".join([*lines, " ".join([*words, horovod.get("commandLineArgs", "")])])


def _variables(run: Run, job: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """Make the folders of a job's outputs, link its code, and return its variables."""
    roots = ("AZ_BATCHAI_MOUNT_ROOT", "AZ_BATCHAI_JOB_MOUNT_ROOT")
    found = dict.fromkeys(roots, str(folder))
    for each in job.get("outputDirectories", ()):
        found[f"AZ_BATCHAI_OUTPUT_{each['id']}"] = str(folder / "outputs" / each["id"])
        (folder / "outputs" / each["id"]).mkdir(parents=True)
    for each in job.get("environmentVariables", ()):
        found[each["name"]] = each["value"].replace("$AZ_BATCHAI_JOB_MOUNT_ROOT", str(folder))
    code = Path(found["BAI_CODE"])
    code.symlink_to(run.path.parent)
    return found
