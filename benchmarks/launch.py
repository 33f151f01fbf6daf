"""`bai apply` against bare `horovodrun` on the same script: wall time and throughput.

Both run in turns, and the ratio of each pair counts, because equal runs differ by a factor of two
on a busy machine. A target is met if the median of the ratios meets it, and undecided if it lies
between the quartiles; then run more pairs with `BENCHMARK_PAIRS=31`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import BIN, Result, paired, pairs, seconds

HERE = Path(__file__).parent
PAIRS = int(os.environ.get("BENCHMARK_PAIRS", "7"))
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
        'current-context = "bench"\n[contexts.bench.engine]\nslots = 4\n', encoding="utf-8"
    )
    spec = folder / f"{script}-{ranks}.yaml"
    job = f"{script}{ranks}"
    spec.write_text(SPEC.format(ranks=ranks, here=HERE, script=script, job=job))
    # Both get the same number of threads for each rank; bare horovodrun sets none.
    threads = str(max(1, len(os.sched_getaffinity(0)) // ranks))
    base = {k: v for k, v in os.environ.items() if not k.startswith("BAI_")}
    base |= {"OMP_NUM_THREADS": threads, "PATH": f"{BIN}{os.pathsep}{base['PATH']}"}

    def run(command: list[str | Path]) -> tuple[float, float | None]:
        """Return the seconds that a command took, and the throughput that its job reported."""
        rate = folder / "rate"
        rate.unlink(missing_ok=True)
        took = seconds(command, folder, base | {"BENCHMARK_RATE": str(rate)})
        return took, float(rate.read_text()) if rate.exists() else None

    def ours() -> tuple[float, float | None]:
        # The cluster of 2 grows to 4 nodes in place; the job is a new attempt each time.
        return run([BIN / "bai", "apply", spec, "--rerun"])

    def peer() -> tuple[float, float | None]:
        words = ["-np", str(ranks), "--gloo", BIN / "python", HERE / f"{script}.py"]
        return run([BIN / "horovodrun", *words])

    found = pairs(PAIRS, ours, peer)
    name = f"apply {script}, {ranks} ranks"
    walls = [(mine[0], theirs[0]) for mine, theirs in found]
    yield paired(f"{name}: wall", walls, "s", "ratio <= 1.05")
    rates = [(mine[1], theirs[1]) for mine, theirs in found]
    if measured := [(mine, theirs) for mine, theirs in rates if mine and theirs]:
        yield paired(f"{name}: throughput", measured, "1/s", "ratio >= 0.99")
