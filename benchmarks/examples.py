"""Each Horovod example by `bai apply` against the same commands with bare `horovodrun`: wall time.

Both prepare the data and train, in an empty folder each time. The peer runs the very command lines
that the spec compiles to, with plain folders in place of mounts.
`BENCHMARK_EXAMPLES=cifar10,digits` chooses some, `BENCHMARK_PAIRS=1` is quick.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measure import BIN, Result, paired, pairs, seconds

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tools"))

from run_examples import Run, runs  # noqa: E402 - a script of its own

PAIRS = int(os.environ.get("BENCHMARK_PAIRS", "3"))


def results() -> Iterator[Result]:
    """Measure all examples that are Horovod jobs, or those that were chosen."""
    chosen = [name for name in os.environ.get("BENCHMARK_EXAMPLES", "").split(",") if name]
    for run in runs(chosen):
        bodies = _compiled(run)
        jobs = [each for each in bodies if "horovodSettings" in each]
        if len(jobs) == 1:
            yield _measure(run, jobs[0], sorted(_mounts(bodies)))


def _measure(run: Run, job: Mapping[str, Any], mounts: Sequence[str]) -> Result:
    base = {k: v for k, v in os.environ.items() if not k.startswith(("BAI_", "AZ_BATCHAI_"))}
    base["PATH"] = f"{run.python.parent}{os.pathsep}{base['PATH']}"
    # Ranks that share a machine get the same number of threads each; bare horovodrun sets none.
    ranks = job["horovodSettings"].get("processCount", job["nodeCount"])
    base["OMP_NUM_THREADS"] = str(max(1, len(os.sched_getaffinity(0)) // ranks))

    def ours() -> float:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            run.write_context(Path(folder))
            return seconds([BIN / "bai", "apply", *run.arguments], Path(folder), base)

    def peer() -> float:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            command = ["bash", "-ec", _script(run, job, ranks)]
            for mount in mounts:
                (Path(folder) / mount).mkdir(parents=True)
            return seconds(command, run.path.parent, base | _variables(run, job, Path(folder)))

    name = f"{run.path.parent.name} with {run.framework}, {ranks} ranks: wall"
    return paired(name, pairs(PAIRS, ours, peer), "s", "ratio <= 1.05")


def _compiled(run: Run) -> list[dict[str, Any]]:
    """Return the properties of the resources that an example compiles to."""
    command = [BIN / "bai", "compile", *run.arguments]
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
