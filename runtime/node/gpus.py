"""NVIDIA's GPUs of a machine, and what processes use of them."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from bai.runtime.node.streams import Streams

PROGRAM: Final = "bai.runtime.node.gpu_meter"
"""The module whose `main()` measures."""
STALE_SECONDS: Final = 10.0
"""How old a measurement may be."""
_PIECE: Final = 1 << 16


def gpu_count() -> int:
    """Return how many of NVIDIA's GPUs this machine has, as their driver shows them."""
    return len(list(Path("/dev").glob("nvidia[0-9]*")))


@dataclass(frozen=True, slots=True)
class GpuUse:
    """One GPU that processes use."""

    busy: float
    """The share of the time in which it ran anything, as of late: 0 to 1, whoever used it."""
    memory: Mapping[int, int]
    """Process id -> bytes of the GPU's memory; 0 where the driver does not tell."""


class GpuMeter:
    """The program that measures, and what it has said last; it is started by the first look."""

    def __init__(
        self,
        streams: Streams,
        program: Sequence[str],
        prepare: Callable[[], None],
        count: Callable[[], int] = gpu_count,
    ) -> None:
        """Start nothing yet.

        Args:
            streams: the event loop that hears what the program says.
            program: the command line that measures.
            prepare: called in the new process before it becomes the program, to have it end with
                this one.
            count: returns how many GPUs the machine has.
        """
        self._streams = streams
        self._program = program
        self._prepare = prepare
        self._count = count
        self._process: subprocess.Popen[bytes] | None = None
        self._has_begun = False
        self._partial = b""
        self._last: list[GpuUse] = []
        self._heard = 0.0

    @property
    def pids(self) -> list[int]:
        """Process ids of what measures."""
        return [self._process.pid] if self._process else []

    def look(self) -> list[GpuUse]:
        """Return each GPU that processes use, as far as it is known by now."""
        if not self._has_begun:
            self._begin()
        return self._last if time.monotonic() - self._heard < STALE_SECONDS else []

    def _begin(self) -> None:
        self._has_begun = True
        if not self._count():
            return
        self._process = process = subprocess.Popen(
            self._program,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=self._prepare,
        )
        assert process.stdout
        with process.stdout:
            source = os.dup(process.stdout.fileno())
        self._streams.watch(source, partial(self._read, source, process))

    def _read(self, source: int, process: subprocess.Popen[bytes]) -> None:
        said = os.read(source, _PIECE)
        if not said:
            self._streams.forget(source)
            process.wait()
            self._process = None
            return
        *whole, self._partial = (self._partial + said).split(b"\n")
        if whole:
            self._heard = time.monotonic()
            self._last = [
                GpuUse(each["busy"], {int(pid): size for pid, size in each["memory"].items()})
                for each in json.loads(whole[-1])
            ]
