"""Measuring commands: wall time, medians, and a table of ratios."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

BIN = Path(sys.executable).parent
RESULTS = Path(__file__).parent / "results"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table."""

    name: str
    ours: float
    peer: float | None
    """The peer's median in the same run; None where there is no peer."""
    unit: str
    aim: str = ""
    ratios: tuple[float, ...] = ()
    """Ours over the peer's in each pair, where they were measured in pairs."""

    @property
    def ratio(self) -> float | None:
        """Ours over the peer's: the median over pairs, or that of the medians."""
        if self.ratios:
            return statistics.median(self.ratios)
        return self.ours / self.peer if self.peer else None

    @property
    def spread(self) -> tuple[float, float] | None:
        """The quartiles of the ratios of three pairs or more: half of all are between them."""
        if len(self.ratios) < 3:
            return None
        low, _, high = statistics.quantiles(self.ratios, n=4, method="inclusive")
        return low, high


def seconds(command: Sequence[str | Path], folder: Path, env: Mapping[str, str]) -> float:
    """Return the wall time of a command in seconds.

    Raises:
        subprocess.CalledProcessError: it failed, with its output.
    """
    begun = time.perf_counter()
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, env=dict(env), capture_output=True, check=False
    )
    took = time.perf_counter() - begun
    if done.returncode:
        sys.stderr.write(done.stdout.decode() + done.stderr.decode())
        done.check_returncode()
    return took


def interleaved(runs: int, *measures: Callable[[], float]) -> list[float]:
    """Return the median of each measure, taken in turns so that all see the same machine."""
    found = [[measure() for measure in measures] for _ in range(runs)]
    return [statistics.median(column) for column in zip(*found, strict=True)]


def pairs(count: int, ours: Callable[[], T], peer: Callable[[], T]) -> list[tuple[T, T]]:
    """Return what both measures give, (ours, peer), in pairs taken right after each other.

    The load of a machine changes from minute to minute, so only measurements taken in a row can be
    compared. Every other pair begins with the peer, so that neither is always second. The first
    pair, which fills caches, does not count.
    """
    ours(), peer()
    found = []
    for number in range(count):
        if number % 2:
            second = peer()
            found.append((ours(), second))
        else:
            first = ours()
            found.append((first, peer()))
    return found


def paired(name: str, found: Sequence[tuple[float, float]], unit: str, aim: str) -> Result:
    """Return the line for numbers that were measured in pairs."""
    mine, theirs = (statistics.median(column) for column in zip(*found, strict=True))
    return Result(name, mine, theirs, unit, aim, tuple(ours / peer for ours, peer in found))


def publish(results: Iterable[Result], name: str) -> None:
    """Print each result as soon as it is there, as a line of a table, and keep all as JSON."""
    RESULTS.mkdir(exist_ok=True)
    print(f"{'benchmark':<44} {'ours':>9} {'peer':>9} {'ratio':>7}  {'half of all':<13}  aim")
    data = []
    for result in results:
        peer = "" if result.peer is None else f"{result.peer:9.3f}"
        ratio = "" if result.ratio is None else f"{result.ratio:7.3f}"
        spread = "{:.3f}-{:.3f}".format(*result.spread) if result.spread else ""
        line = f"{result.name:<44} {result.ours:9.3f} {peer:>9} {ratio:>7}  {spread:<13}"
        print(f"{line}  {result.aim}".rstrip(), flush=True)
        data.append(asdict(result) | {"ratio": result.ratio, "spread": result.spread})
        (RESULTS / f"{name}.json").write_text(json.dumps(data, indent=2) + "\n")
