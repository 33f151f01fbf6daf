"""images/sec of 1, 2 and 4 ranks, each bound to its cores against left to the kernel.

The Horovod benchmark of examples/, with one thread and 32 images a step in each rank, so that more
ranks have more work. A single rank is never bound: its ratio says how much equal runs differ.
`BENCHMARK_PAIRS=3` measures more often.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import BIN, Result, paired

SPEC = Path(__file__).parents[1] / "examples/horovod-benchmark/experiment.yaml"
PAIRS = int(os.environ.get("BENCHMARK_PAIRS", "2"))
RANKS = (1, 2, 4)
BATCHES = 30
CONTEXT = """current-context = "bench"
[contexts.bench.engine]
slots = 4
bind-to = "{bind}"
"""


def results() -> Iterator[Result]:
    """Measure all numbers of ranks, and how much of the speed of so many lone ranks is left."""
    alone = None
    for ranks in RANKS:
        found = [(_speed(ranks, "core"), _speed(ranks, "none")) for _ in range(PAIRS)]
        speed = paired(f"{ranks} ranks, bound / unbound: images/sec", found, "1/s", "")
        yield speed
        alone = alone or speed
        name = f"{ranks} ranks, bound / unbound: efficiency"
        yield Result(
            name,
            speed.ours / alone.ours / ranks,
            (speed.peer or 0) / (alone.peer or 1) / ranks,
            "",
            f"<= {min(1, len(os.sched_getaffinity(0)) / ranks):.2f} here",
        )


def _speed(ranks: int, bind: str) -> float:
    """Return the images a second of all ranks."""
    base = {k: v for k, v in os.environ.items() if not k.startswith("BAI_")}
    values = ["-p", f"processes={ranks}", "-p", f"num_batches={BATCHES}"]
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder, "bai.toml").write_text(CONTEXT.format(bind=bind))
        done = subprocess.run(
            [BIN / "bai", "apply", SPEC, *values],
            cwd=folder,
            env=base | {"OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    found = re.search(r"total images/sec: ([\d.]+)", done.stdout)
    if done.returncode or not found:
        sys.exit(f"error: the benchmark failed: {done.stdout}{done.stderr}")
    return float(found[1])
