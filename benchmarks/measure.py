"""Measuring commands: wall time, medians, and a table of ratios."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

BIN = Path(sys.executable).parent
RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table."""

    name: str
    ours: float
    peer: float | None
    """The peer's median in the same run; None where there is no peer."""
    unit: str
    aim: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours over the peer's."""
        return self.ours / self.peer if self.peer else None


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


def publish(results: Sequence[Result], name: str) -> None:
    """Print the results as a table and keep them as JSON."""
    RESULTS.mkdir(exist_ok=True)
    data = [asdict(result) | {"ratio": result.ratio} for result in results]
    (RESULTS / f"{name}.json").write_text(json.dumps(data, indent=2) + "\n")
    print(f"{'benchmark':<44} {'ours':>9} {'peer':>9} {'ratio':>7}  aim")
    for result in results:
        peer = "" if result.peer is None else f"{result.peer:9.3f}"
        ratio = "" if result.ratio is None else f"{result.ratio:7.3f}"
        print(f"{result.name:<44} {result.ours:9.3f} {peer:>9} {ratio:>7}  {result.aim}")
