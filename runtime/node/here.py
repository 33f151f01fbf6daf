"""This machine: runs processes as children of this one."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from bai.runtime.errors import LaunchError
from bai.runtime.mounts.copies import PROGRAM
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.drivers import Drivers
from bai.runtime.node import processes, symptoms
from bai.runtime.node.cores import bind, usable_cores
from bai.runtime.node.gpus import PROGRAM as GPU_METER
from bai.runtime.node.gpus import GpuMeter, gpu_count
from bai.runtime.node.machine import Answer, Facts, Hear, Process
from bai.runtime.node.own_python import own_python
from bai.runtime.node.streams import Pump, Streams
from bai.runtime.node.usage import Usage

HALT_SECONDS = 2.0
"""How often to look for processes that a signal has stopped."""

_SIGNALLED = 128
_HYDRA = frozenset({"mpiexec.hydra", "hydra_pmi_proxy"})
"""What Intel MPI's mpirun starts, which starts the ranks."""


@dataclass(slots=True)
class _Running:
    """A process that was started, or that something else starts."""

    process: Process
    hear: Hear
    pumps: tuple[Pump, Pump]
    pid: int | None = None
    watched: int | None = None
    """What a signal may stop: the process, or the one that it stands for, once that is seen."""
    halted: bool = False

    @property
    def root(self) -> int | None:
        """The process id to measure from; None if it is not measured, or not known yet."""
        if self.process.rank is None:
            return None
        return _written_pid(self.process.pipes) if self.process.pipes else self.watched


class Here:
    """This machine."""

    lost: str | None = None
    silence = 0.0

    def __init__(
        self,
        streams: Streams,
        environment: Mapping[str, str],
        address: str = "127.0.0.1",
        interface: str = "lo",
        host: str = "",
        reports: str = "",
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Run no process yet.

        Args:
            streams: the event loop that moves the output of processes.
            environment: what processes inherit here.
            address: where other nodes reach this machine.
            interface: the network interface with that address.
            host: its name; by default its own.
            reports: the file in which scripts report metrics; empty for the attempt's own.
            check: called now and then while mounts are made; raises an exception to give up.
        """
        self._streams = streams
        self._environment = environment
        self._reports = reports
        self._address, self._interface, self._host = address, interface, host
        self._running: dict[int, _Running] = {}
        self._drivers = Drivers(
            processes.die_with(os.getpid(), signal.SIGTERM),
            own_python(PROGRAM),
            streams.step,
            check,
        )
        self._looked = time.monotonic()
        self._usage = Usage()
        self._gpus = GpuMeter(streams, own_python(GPU_METER), processes.die_with(os.getpid()))
        streams.each_step(self._look)
        streams.each_step(self._measure)

    @cached_property
    def facts(self) -> Facts:
        """What this machine is."""
        return Facts(
            host=self._host or socket.gethostname(),
            address=self._address,
            interface=self._interface,
            cores=tuple(usable_cores()),
            gpus=gpu_count(),
            is_root=os.geteuid() == 0,
            user=f"{os.geteuid()}:{os.getegid()}",
            python=sys.executable,
            scripts=str(Path(__file__).parent),
            reports=self._reports,
            environment=self._environment,
        )

    def hear_reports(self, take: Callable[[bytes], None]) -> None:
        """Do nothing: what is reported here is there."""

    def ports(self, count: int) -> Answer[Sequence[int]]:
        """Find free ports."""
        return Answer.of(lambda: _free_ports(self._address, count))

    def find(self, program: str, directory: str, path: str | None) -> Answer[str]:
        """Find a program."""
        return Answer.of(lambda: _find(program, directory, path))

    def prepare(
        self, mounts: Sequence[Mount], folders: Sequence[str], empty: Sequence[str]
    ) -> Answer[None]:
        """Make mounts and folders."""

        def prepare() -> None:
            self._drivers.mount(mounts)
            for folder in map(Path, empty):
                if folder.exists():
                    shutil.rmtree(folder)
            for folder in map(Path, folders):
                folder.mkdir(parents=True, exist_ok=True)

        return Answer.of(prepare)

    def unmount(self, mounts: Sequence[Mount]) -> Answer[Sequence[str]]:
        """Take mounts away."""
        return Answer.of(lambda: self._drivers.unmount(mounts))

    def start(self, number: int, process: Process, hear: Hear) -> Answer[None]:
        """Start a process, or listen to the pipes of one that something else starts."""
        begin = self._listen if process.pipes else self._start
        return Answer.of(lambda: begin(number, process, hear))

    def end(self, spare: Collection[int] = ()) -> Answer[Sequence[int]]:
        """End all processes below this one."""
        return Answer.of(lambda: self._end(spare))

    def _start(self, number: int, process: Process, hear: Hear) -> None:
        child = _popen(process)
        assert child.stdout is not None
        assert child.stderr is not None
        with child.stdout, child.stderr:
            sources = os.dup(child.stdout.fileno()), os.dup(child.stderr.fileno())
        running = _Running(process, hear, self._pumps(sources, process, hear), child.pid)
        running.watched = None if process.stands_for else child.pid
        self._running[number] = running
        handle = os.pidfd_open(child.pid)
        self._streams.watch(handle, partial(self._exited, handle, number, child))

    def _listen(self, number: int, process: Process, hear: Hear) -> None:
        handles = []
        for name in ("stdout", "stderr", "exit"):
            path = f"{process.pipes}.{name}"
            os.mkfifo(path, 0o600)
            handles.append(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
        stdout, stderr, report = handles
        pumps = self._pumps((stdout, stderr), process, hear)
        self._running[number] = _Running(process, hear, pumps)
        self._streams.watch(report, partial(self._reported, report, number))

    def _pumps(self, sources: tuple[int, int], process: Process, hear: Hear) -> tuple[Pump, Pump]:
        def label(stream: str) -> bytes:
            return f"[{process.label}]<{stream}>: ".encode() if process.label else b""

        def observe() -> Callable[[bytes], None]:
            return symptoms.observer(hear.symptom)

        stdout, stderr = sources
        # mpirun speaks of failed ranks on either.
        of_stdout = observe() if process.launches_ranks else None
        return (
            self._streams.pump(stdout, partial(hear.output, "stdout"), label("stdout"), of_stdout),
            self._streams.pump(stderr, partial(hear.output, "stderr"), label("stderr"), observe()),
        )

    def _exited(self, handle: int, number: int, child: subprocess.Popen[bytes]) -> None:
        self._streams.forget(handle)
        code = child.wait()
        self._gone(number, _SIGNALLED - code if code < 0 else code)

    def _reported(self, report: int, number: int) -> None:
        text = os.read(report, 16)
        self._streams.forget(report)
        # A killed rank has reported nothing; the output of mpirun names the reason.
        self._gone(number, int(text or b"0"))

    def _gone(self, number: int, code: int) -> None:
        running = self._running.pop(number)
        # Its last output shows whether it was at fault.
        self._streams.drain(running.pumps)
        running.hear.exited(code)

    def _look(self) -> None:
        """Look for processes that a signal has stopped."""
        if time.monotonic() - self._looked < HALT_SECONDS:
            return
        self._looked = time.monotonic()
        for running in list(self._running.values()):
            if running.watched is None and running.process.stands_for:
                running.watched = processes.eldest(running.process.stands_for)
            if running.watched is not None:
                halted = processes.is_halted(running.watched)
                if halted != running.halted:
                    running.halted = halted
                    running.hear.halted(halted=halted)

    def _measure(self) -> None:
        """Look at what ranks use, if it is time for that."""
        if not self._usage.is_due:
            return
        found = [(running.root, running.hear) for running in self._running.values()]
        ranks = {root: hear for root, hear in found if root is not None}
        if not ranks:
            self._usage.wait()
            return
        now = time.time()
        for root, values in self._usage.look(ranks, self._gpus.look()).items():
            ranks[root].measured(now, values)

    def _end(self, spare: Collection[int]) -> list[int]:
        ended = {n: running for n, running in self._running.items() if n not in spare}
        spared = {running.pid for n, running in self._running.items() if n in spare}
        # What serves mounts ends with them, and what measures ends with this process.
        spared.update(self._drivers.pids, self._gpus.pids)
        # mpirun ends with its ranks; asked to, it kills them before they can tidy up, or asks them
        # once more.
        launching = [r.pid for r in ended.values() if r.pid and r.process.launches_ranks]
        below = processes.descendants(*launching)
        launchers = [*launching, *(pid for pid in below if processes.program(pid) in _HYDRA)]

        def left() -> list[int]:
            return [pid for pid in processes.descendants(os.getpid()) if pid not in spared]

        # Pumped meanwhile, or a process with much output would block and never end.
        survivors = processes.end(left, wait=self._streams.step, unasked=launchers)
        # Of those that have ended, the ends are heard before this one's answer.
        self._streams.step(0)
        for running in ended.values():
            self._streams.drain(running.pumps)
            self._streams.stop(running.pumps)
        return survivors


class LocalAgents:
    """All nodes are this machine: the nodes of the local engine are folders."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Have processes inherit an environment."""
        self._environment = environment

    def join(self, streams: Streams, count: int, check: Callable[[], None]) -> list[Here]:
        """Return this machine for each node."""
        return [Here(streams, self._environment, check=check)] * count

    def close(self) -> None:
        """Do nothing: it ends with this process."""


def _written_pid(pipes: str) -> int | None:
    """Return the process id that a rank's script has written beside its pipes; None before that."""
    try:
        return int(Path(f"{pipes}.pid").read_text())
    except (OSError, ValueError):
        return None


def _free_ports(address: str, count: int) -> list[int]:
    with ExitStack() as probes:
        # All at once, so that no two are the same.
        found = [probes.enter_context(socket.socket()) for _ in range(count)]
        for probe in found:
            probe.bind((address, 0))
        return [probe.getsockname()[1] for probe in found]


def _popen(process: Process) -> subprocess.Popen[bytes]:
    die_with_us = processes.die_with(os.getpid())

    def prepare() -> None:
        if process.cpus:
            bind(process.cpus)
        die_with_us()

    program = process.argv[0]
    try:
        return subprocess.Popen(
            process.argv,
            executable=_find(program, process.directory, process.environment.get("PATH")),
            env=dict(process.environment),
            cwd=process.directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # The kernel shares a core out among sessions first. That keeps ranks from crowding out
            # each other; where each has cores of its own, it only costs time, a fifth of it.
            start_new_session=not process.cpus,
            process_group=0 if process.cpus else None,
            preexec_fn=prepare,
        )
    except OSError as error:
        raise LaunchError(f"can't run {program}: {error.strerror}") from None
    except ValueError:
        # No word of the value: it may be a secret.
        message = f"can't run {program}: there is a NUL character in its environment"
        raise LaunchError(message) from None


def _find(program: str, directory: str, path: str | None) -> str:
    if "/" in program:
        if not os.access(Path(directory, program), os.X_OK):
            raise LaunchError(f"there is no program {program}")
        return program
    found = shutil.which(program, path=path)
    if found is None and program == "python":
        return sys.executable
    if found is None:
        raise LaunchError(f"there is no program {program!r} in PATH: install it or give its path")
    return found
