"""Jobs that wait: what a long queue costs, and how soon the next job starts."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from measure import BIN, Result

LONG = 1_000
SHORT = 20
STARTS = 15
"""Jobs whose starts are measured, of each queue."""
HEAD = """apiVersion: bai/v1
kind: Experiment
metadata: {name: queue}
spec:
  clusters: {c: {vmSize: S, scale: 1}}
  jobs:
"""
JOB = """    {name}:
      nodeCount: 1
      mounts: {{r: azureFile:r}}
      logs: ${{mounts.r}}
      custom: {{command: {command}}}
"""


def results() -> Iterator[Result]:
    """Measure a long queue, with a short one as its peer."""
    with TemporaryDirectory() as long, TemporaryDirectory() as short:
        many, few = _Queue(Path(long), LONG), _Queue(Path(short), SHORT)
        yield Result(f"processes, {LONG:,} jobs queued against {SHORT}", *_processes(many, few), "")
        yield Result(f"their own memory, {LONG:,} jobs against {SHORT}", *_memory(many, few), "MiB")
        gaps = [queue.gaps() for queue in (many, few)]
        name = f"from a job's last word to the next one's first, {LONG:,} queued against {SHORT}"
        yield Result(name, *map(statistics.median, gaps), "s")
        for queue in (many, few):
            queue.bai("delete", "workspace", "local", "-y")
        yield Result(f"applying {LONG:,} jobs, each, against {SHORT}", many.each, few.each, "s")


def _processes(*queues: _Queue) -> list[float]:
    return [float(len(queue.supervising())) for queue in queues]


def _memory(*queues: _Queue) -> list[float]:
    return [
        sum(process.memory_full_info().uss for process in queue.supervising()) / 2**20
        for queue in queues
    ]


class _Queue:
    """A cluster of one node, on which one job runs and the others wait."""

    def __init__(self, folder: Path, count: int) -> None:
        self._folder = folder
        self._gate = folder / "gate"
        self._times = folder / "times"
        os.mkfifo(self._gate)
        commands = [f"cat {self._gate}; date +%s.%N >> {self._times}"]
        stamp = f"date +%s.%N >> {self._times}"
        commands += [f"{stamp}; {stamp}"] * STARTS + ["sleep 600"] * (count - STARTS)
        spec = folder / "spec.yaml"
        jobs = (JOB.format(name=f"j{n}", command=text) for n, text in enumerate(commands))
        spec.write_text(HEAD + "".join(jobs))
        begun = time.perf_counter()
        self.bai("apply", "-d", "spec.yaml")
        self.each = (time.perf_counter() - begun) / count
        self.bai("wait", "j0", "--for", "running")

    def bai(self, *words: str) -> None:
        """Run a command."""
        subprocess.run([BIN / "bai", *words], cwd=self._folder, check=True, capture_output=True)

    def supervising(self) -> list[psutil.Process]:
        """Return guardians and supervisors of the queue."""
        found = []
        for process in psutil.process_iter(["cmdline"]):
            words = " ".join(process.info["cmdline"] or ())
            if str(self._folder) in words and "bai.runtime.guardian" in words:
                found.append(process)
        return found

    def gaps(self) -> list[float]:
        """Let some jobs run, and return the times between one's end and the next one's start."""
        self._gate.write_text("go\n")
        self.bai("wait", f"j{STARTS}")
        times = [float(line) for line in self._times.read_text().split()]
        # Each job writes its start and its end, but for the first.
        ends, starts = times[0::2], times[1::2]
        return [start - end for end, start in zip(ends, starts, strict=False)]
