"""`bai apply` against bare `horovodrun` on the same script: wall time and throughput."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import BIN, Result, interleaved, seconds

HERE = Path(__file__).parent
RUNS = 3
SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {{name: launch}}
spec:
  clusters: {{c: {{vmSize: S, scale: {ranks}}}}}
  jobs:
    {job}:
      nodeCount: {ranks}
      mounts: {{code: "file:{here}", r: azureFile:r}}
      logs: ${{mounts.r}}
      horovod: {{script: "${{mounts.code}}/{script}.py"}}
"""


def results() -> Iterator[Result]:
    """Measure 2 and 4 ranks, a job that does nothing and one that trains."""
    with TemporaryDirectory() as folder:
        for script in ("noop", "train"):
            for ranks in (2, 4):
                yield from _measure(Path(folder), script, ranks)


def _measure(folder: Path, script: str, ranks: int) -> Iterator[Result]:
    (folder / "bai.toml").write_text(
        'current-context = "bench"\n[contexts.bench]\nslots = 4\n', encoding="utf-8"
    )
    spec = folder / f"{script}-{ranks}.yaml"
    job = f"{script}{ranks}"
    spec.write_text(SPEC.format(ranks=ranks, here=HERE, script=script, job=job))
    rates: dict[str, list[float]] = {"ours": [], "peer": []}
    # Both get the same number of threads for each rank; bare horovodrun sets none.
    threads = str(max(1, len(os.sched_getaffinity(0)) // ranks))
    base = {k: v for k, v in os.environ.items() if not k.startswith("BAI_")}
    base |= {"OMP_NUM_THREADS": threads, "PATH": f"{BIN}{os.pathsep}{base['PATH']}"}

    def run(side: str, command: list[str | Path]) -> float:
        rate = folder / f"rate-{side}"
        took = seconds(command, folder, base | {"BENCHMARK_RATE": str(rate)})
        if rate.exists():
            rates[side].append(float(rate.read_text()))
            rate.unlink()
        return took

    def ours() -> float:
        # The cluster of 2 grows to 4 nodes in place; the job is a new attempt each time.
        return run("ours", [BIN / "bai", "apply", spec, "--rerun"])

    def peer() -> float:
        words = ["-np", str(ranks), "--gloo", BIN / "python", HERE / f"{script}.py"]
        return run("peer", [BIN / "horovodrun", *words])

    mine, theirs = interleaved(RUNS, ours, peer)
    name = f"apply {script}, {ranks} ranks"
    yield Result(f"{name}: wall", mine, theirs, "s", "ratio <= 1.05")
    if rates["ours"]:
        best_ours, best_peer = max(rates["ours"]), max(rates["peer"])
        yield Result(f"{name}: throughput", best_ours, best_peer, "1/s", "ratio >= 0.99")
