"""Simulates many steps on all cores: python -m simulating [--steps N] [--seed N], in tests/."""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from simulating.runs import LENGTH, run_seeds

_CHUNK = 25
"""Seeds that a process takes at once."""


def main() -> None:
    """Simulate, and print the seeds and the speed."""
    parser = argparse.ArgumentParser(prog="simulating", description=__doc__)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, help="the first of the seeds; else a random one")
    arguments = parser.parse_args()
    first = arguments.seed
    if first is None:
        first = int.from_bytes(os.urandom(4))
    last = first + max(1, -(-arguments.steps // LENGTH)) - 1
    sys.stdout.write(f"seeds {first} to {last}, {LENGTH} steps each\n")
    sys.stdout.flush()
    begun = time.perf_counter()
    chunks = range(first, last + 1, _CHUNK)
    counts = [min(_CHUNK, last + 1 - chunk) for chunk in chunks]
    with ProcessPoolExecutor() as pool:
        done = sum(pool.map(run_seeds, chunks, counts, repeat(None)))
    took = time.perf_counter() - begun
    sys.stdout.write(f"{done:,} steps in {took:.0f} s: no violation\n")


if __name__ == "__main__":
    main()
