"""The processes of a job, which are started and ended together."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bai.runtime.errors import LaunchError
from bai.runtime.node import processes
from bai.runtime.node.cores import bind
from bai.runtime.node.streams import Pump, Streams
from bai.runtime.supervisor.first_failure import Failure, Failures

TICK_SECONDS = 0.2
"""How often the gang checks whether it was asked to end."""

CULPRIT_SECONDS = 5.0
"""How long to wait for the failure of the rank at fault, once others failed because of it."""

_SIGNALLED = 128


@dataclass(frozen=True, slots=True)
class RemoteRank:
    """A rank that mpirun starts; its output and exit code come through named pipes."""

    member: Member
    """What it runs, and where its output goes."""
    pipes: Path
    """Where its named pipes are: a path for `pipe` to add to."""

    def pipe(self, name: str) -> Path:
        """Return its pipe `stdout` or `stderr`, or `exit`, which carries its exit code."""
        return self.pipes.with_name(f"{self.pipes.name}.{name}")


@dataclass(frozen=True, slots=True)
class Member:
    """A process to start."""

    name: str
    """The name in messages: `rank 1`, `worker 0`."""
    argv: Sequence[str]
    environment: Mapping[str, str]
    directory: Path
    stdout: Path
    stderr: Path
    label: str = ""
    """The rank, where lines shall carry it."""
    service: bool = False
    """Whether the gang succeeds without waiting for its end."""
    cpus: frozenset[int] | None = None
    """The logical CPUs that it may use; None for all."""
    ranks: tuple[RemoteRank, ...] = ()
    """The ranks that it starts itself."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a gang ended; it succeeded if nothing is set."""

    failure: Failure | None = None
    """The member or rank that failed first."""
    stopped: str | None = None
    """Why it was stopped: the reason that `stop` returned."""
    survivors: tuple[int, ...] = ()
    """Process ids of what even SIGKILL does not end, stuck in the kernel."""


class Gang:
    """Runs members until all have succeeded or one fails; then nothing of them is left."""

    def __init__(self, order: Path, spared: Collection[int] = ()) -> None:
        """Begin with no members.

        Args:
            order: the file that records in which order the logs were written.
            spared: other children of this process, which live on when the gang ends.
        """
        self._spared = frozenset(spared)
        self._streams = Streams(order)
        self._running: list[Member] = []
        self._launchers: set[int] = set()
        self._failures = Failures()

    def start(self, member: Member) -> None:
        """Start a member.

        Raises:
            LaunchError: its program is missing or can't be run.
            OSError: its logs can't be written.
        """
        # Before the process, so that nothing runs when a log can't be made.
        self._streams.log(member.stdout)
        self._streams.log(member.stderr)
        for rank in member.ranks:
            self._hear(rank)
        process = _start(member)
        assert process.stdout is not None
        assert process.stderr is not None
        with process.stdout, process.stderr:
            sources = os.dup(process.stdout.fileno()), os.dup(process.stderr.fileno())
        pumps = self._pumps(sources, member)
        self._running.append(member)
        if member.ranks:
            self._launchers.add(process.pid)
        handle = os.pidfd_open(process.pid)
        self._streams.watch(handle, partial(self._ended, handle, member, process, pumps))

    def run(self, stop: Callable[[], str | None]) -> Outcome:
        """Wait for the end.

        Args:
            stop: asked now and then; returns a reason to end the gang, or None.

        Raises:
            OSError: a log can't be written; the gang has been ended.
        """
        stopped, asked, patience = None, 0.0, float("inf")
        while self._awaited() and not self._failures.certain and not self._streams.broken:
            self._streams.step(TICK_SECONDS)
            now = time.monotonic()
            if self._failures.first:
                patience = min(patience, now + CULPRIT_SECONDS)
            if now > patience:
                break
            if now - asked > TICK_SECONDS:
                asked = now
                if stopped := stop():
                    break
        failure = self._failures.first
        survivors = self.end()
        return Outcome(failure, stopped if failure is None else None, survivors)

    def end(self) -> tuple[int, ...]:
        """End everything below this process, and write out what is left in the pipes.

        Returns:
            Process ids of what can't be ended.

        Raises:
            OSError: a log could not be written.
        """
        try:
            # Pumped meanwhile, or a member with much output would block and never end.
            # mpirun ends with its ranks; asked to, it kills them before they can tidy up.
            survivors = processes.end(self._left, wait=self._streams.step, unasked=self._launchers)
            self._streams.drain()
        finally:
            self._streams.close()
        if self._streams.broken:
            raise self._streams.broken
        return tuple(survivors)

    def _awaited(self) -> bool:
        return any(not member.service for member in self._running)

    def _left(self) -> list[int]:
        return [p for p in processes.descendants(os.getpid()) if p not in self._spared]

    def _pumps(self, sources: tuple[int, int], of: Member) -> tuple[Pump, Pump]:
        def label(stream: str) -> bytes:
            return f"[{of.label}]<{stream}>: ".encode() if of.label else b""

        stdout, stderr = sources
        observe = self._failures.observer(of.name)
        return (
            self._streams.pump(stdout, of.stdout, label("stdout")),
            self._streams.pump(stderr, of.stderr, label("stderr"), observe),
        )

    def _ended(
        self,
        handle: int,
        member: Member,
        process: subprocess.Popen[bytes],
        pumps: tuple[Pump, Pump],
    ) -> None:
        self._streams.forget(handle)
        self._running.remove(member)
        code = process.wait()
        # Its last output shows whether it was at fault.
        self._streams.drain(pumps)
        self._failed(member.name, _SIGNALLED - code if code < 0 else code)

    def _hear(self, rank: RemoteRank) -> None:
        handles = []
        for path in map(rank.pipe, ("stdout", "stderr", "exit")):
            os.mkfifo(path, 0o600)
            handles.append(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
        stdout, stderr, report = handles
        pumps = self._pumps((stdout, stderr), rank.member)
        self._streams.watch(report, partial(self._reported, report, rank, pumps))

    def _reported(self, report: int, rank: RemoteRank, pumps: tuple[Pump, Pump]) -> None:
        text = os.read(report, 16)
        self._streams.forget(report)
        self._streams.drain(pumps)
        # A killed rank has reported nothing; the output of mpirun names the reason.
        self._failed(rank.member.name, int(text or b"0"))

    def _failed(self, name: str, code: int) -> None:
        if code:
            self._failures.add(name, code)


def _start(member: Member) -> subprocess.Popen[bytes]:
    die_with_us = processes.die_with(os.getpid())

    def prepare() -> None:
        if member.cpus:
            bind(member.cpus)
        die_with_us()

    try:
        return subprocess.Popen(
            member.argv,
            executable=_program(member),
            env=dict(member.environment),
            cwd=member.directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # The kernel shares a core out among sessions first. That keeps ranks from crowding out
            # each other; where each has cores of its own, it only costs time, a fifth of it.
            start_new_session=not member.cpus,
            process_group=0 if member.cpus else None,
            preexec_fn=prepare,
        )
    except OSError as error:
        raise LaunchError(f"can't run {member.argv[0]}: {error.strerror}") from None
    except ValueError:
        # No word of the value: it may be a secret.
        message = f"can't run {member.argv[0]}: there is a NUL character in its environment"
        raise LaunchError(message) from None


def _program(member: Member) -> str:
    program = member.argv[0]
    if "/" in program:
        if not os.access(member.directory / program, os.X_OK):
            raise LaunchError(f"there is no program {program}")
        return program
    found = shutil.which(program, path=member.environment.get("PATH"))
    if found is None and program == "python":
        return sys.executable
    if found is None:
        raise LaunchError(f"there is no program {program!r} in PATH: install it or give its path")
    return found
