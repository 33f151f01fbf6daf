"""`bai lint` on job files, against check-jsonschema with bai's schema of them.

bai runs all its rules, with places; the peer only validates. Both run in turns on the same files,
which are correct, as most files are. The ratio of each pair of runs counts.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import corpus
import psutil
from measure import BIN, Result, interleaved, paired, pairs, seconds

ROOT = Path(__file__).parents[1]
SCHEMA = ROOT / "schemas/2018-05-01/job.json"
SPEC = ROOT / "examples/digits/experiment.yaml"
MANY = 1_000
MOST = 10_000
RUNS_ONE = 9
RUNS_MANY = 7


def results() -> Iterator[Result]:
    """Measure all."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        yield from _against_the_peer(folder, "YAML", corpus.write_yaml, "1/20 = 0.050")
        # Both read JSON with Python's own parser.
        yield from _against_the_peer(folder, "JSON", corpus.write_json, "0.150")
        yield from _growth(folder)
        yield from _memory(folder)
        took = interleaved(RUNS_ONE, lambda: _lint(folder, SPEC))
        yield Result("bai lint, one spec", took[0], None, "s")


def _against_the_peer(
    folder: Path, form: str, write: Callable[[Path, int], None], aim: str
) -> Iterator[Result]:
    jobs = folder / form
    write(jobs, MANY)
    one = next(jobs.glob("*/*"))
    found = pairs(RUNS_ONE, lambda: _lint(folder, one), lambda: _check_jsonschema(folder, one))
    yield paired(f"bai lint, one job file, {form}", found, "s", "ratio <= 0.350")
    all_ = sorted(jobs.glob("*/*"))
    found = pairs(RUNS_MANY, lambda: _lint(folder, jobs), lambda: _check_jsonschema(folder, *all_))
    yield paired(f"bai lint, {MANY:,} job files, {form}", found, "s", f"ratio <= {aim}")


def _growth(folder: Path) -> Iterator[Result]:
    """Measure 1,000, 2,000 and 4,000 files; the peer of each is the one before, twice."""
    counts = (MANY, 2 * MANY, 4 * MANY)
    for count in counts:
        corpus.write_yaml(folder / str(count), count)

    def measure(count: int) -> Callable[[], float]:
        return lambda: _lint(folder, folder / str(count))

    took = interleaved(RUNS_MANY, *map(measure, counts))
    for count, ours, before in zip(counts[1:], took[1:], took, strict=False):
        name = f"bai lint, {count:,} files against 2 x {count // 2:,}"
        yield Result(name, ours, 2 * before, "s", "ratio <= 1.1: linear")


def _memory(folder: Path) -> Iterator[Result]:
    jobs = folder / str(MOST)
    corpus.write_yaml(jobs, MOST)
    peak = _peak([BIN / "bai", "lint", jobs], folder) / 2**20
    yield Result(f"bai lint, {MOST:,} files, peak memory", peak, None, "MiB", "<= 150 MiB")


def _lint(folder: Path, *paths: Path) -> float:
    return seconds([BIN / "bai", "lint", *paths], folder, os.environ)


def _check_jsonschema(folder: Path, *paths: Path) -> float:
    command = [BIN / "check-jsonschema", "--schemafile", SCHEMA, *paths]
    return seconds(command, folder, os.environ)


def _peak(command: list[str | Path], folder: Path) -> int:
    """Return the peak of resident memory in bytes, all processes of a command added up.

    Pages that several of them share are counted for each.

    Raises:
        subprocess.CalledProcessError: the command failed.
    """
    process = psutil.Popen([str(word) for word in command], cwd=folder, stdout=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, _resident(process))
        time.sleep(0.005)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return peak


def _resident(process: psutil.Process) -> int:
    total = 0
    try:
        for each in (process, *process.children(recursive=True)):
            total += each.memory_info().rss
    except psutil.Error:
        # One of them has just ended.
        pass
    return total
