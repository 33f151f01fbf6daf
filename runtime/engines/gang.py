"""The processes of a job: started together, ended together."""

from __future__ import annotations

import os
import selectors
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bai.runtime.engines import processes
from bai.runtime.engines.pump import LogFile, Pump
from bai.runtime.errors import LaunchError

TICK_SECONDS = 0.2
"""How often the gang looks whether it is asked to end."""

_SIGNALLED = 128


@dataclass(frozen=True, slots=True)
class Member:
    """A process to start."""

    name: str
    """`rank 1`, `worker 0`: what messages call it."""
    argv: Sequence[str]
    environment: Mapping[str, str]
    directory: Path
    stdout: Path
    stderr: Path
    label: str = ""
    """The rank, where lines shall carry it."""
    mpi: bool = False
    """Whether it is mpirun, whose output carries labels already."""
    service: bool = False
    """Whether the gang has succeeded without its end."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a gang ended."""

    exit_code: int | None
    """0, or that of the member that failed first; None if it was stopped."""
    failed: str | None = None
    """Name of the member that failed first."""
    stopped: str | None = None
    """Why it was stopped, as `stop` said."""


class Gang:
    """Runs members until all have succeeded or one fails."""

    def __init__(self, spared: Collection[int] = ()) -> None:
        """Begin with no members.

        Args:
            spared: other children of this process, which live on when the gang ends.
        """
        self._spared = frozenset(spared)
        self._selector = selectors.DefaultSelector()
        self._logs: dict[Path, LogFile] = {}
        self._running: dict[int, tuple[Member, subprocess.Popen[bytes]]] = {}
        self._pumps = 0

    def start(self, member: Member) -> None:
        """Start a member.

        Raises:
            LaunchError: its program is missing or can't be run.
            OSError: its logs can't be written.
        """
        stdout, stderr = self._log(member.stdout), self._log(member.stderr)
        try:
            process = subprocess.Popen(
                member.argv,
                executable=_program(member),
                env=dict(member.environment),
                cwd=member.directory,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise LaunchError(f"can't run {member.argv[0]}: {error.strerror}") from None
        assert process.stdout is not None
        assert process.stderr is not None
        self._pump(member, process.stdout, stdout, "stdout")
        self._pump(member, process.stderr, stderr, "stderr")
        handle = os.pidfd_open(process.pid)
        self._selector.register(handle, selectors.EVENT_READ, handle)
        self._running[handle] = (member, process)

    def _pump(self, member: Member, stream: IO[bytes], log: LogFile, name: str) -> None:
        label = f"[{member.label}]<{name}>: ".encode() if member.label else b""
        with stream:
            pump = Pump(os.dup(stream.fileno()), log, label, mpi=member.mpi)
        self._selector.register(pump.source, selectors.EVENT_READ, pump)
        self._pumps += 1

    def run(self, stop: Callable[[], str | None]) -> Outcome:
        """Wait for the end.

        Args:
            stop: asked now and then; returns a reason to end the gang, or None.

        Raises:
            OSError: a log can't be written; the gang has been ended.
        """
        outcome = Outcome(0)
        try:
            while self._awaited() and outcome == Outcome(0):
                for pid_handle in self._step(TICK_SECONDS):
                    member, process = self._running.pop(pid_handle)
                    code = process.wait()
                    if code and outcome.exit_code == 0:
                        exit_code = _SIGNALLED - code if code < 0 else code
                        outcome = Outcome(exit_code, member.name)
                if outcome == Outcome(0) and self._awaited() and (reason := stop()):
                    outcome = Outcome(None, None, reason)
        finally:
            self._end()
        return outcome

    def _awaited(self) -> bool:
        return any(not member.service for member, _ in self._running.values())

    def _step(self, seconds: float) -> list[int]:
        """Pump what is there; return the handles of processes that ended."""
        ended = []
        for key, _ in self._selector.select(seconds):
            if isinstance(key.data, Pump):
                if not key.data.pump():
                    self._drop(key.data)
            else:
                self._selector.unregister(key.fd)
                os.close(key.fd)
                ended.append(key.fd)
        return ended

    def _drop(self, pump: Pump) -> None:
        self._selector.unregister(pump.source)
        os.close(pump.source)
        self._pumps -= 1

    def _end(self) -> None:
        """End everything below this process and write out what is left in the pipes."""
        try:
            processes.end(self._left)
            while self._pumps and self._drain():
                pass
        finally:
            for key in list(self._selector.get_map().values()):
                os.close(key.fd)
            self._selector.close()
            for log in self._logs.values():
                log.close()
            for _, process in self._running.values():
                process.poll()

    def _left(self) -> list[int]:
        return [p for p in processes.descendants(os.getpid()) if p not in self._spared]

    def _drain(self) -> bool:
        # With all writers gone every pipe is readable up to its end.
        before = self._pumps
        progress = self._selector.select(TICK_SECONDS)
        self._step(0)
        return bool(progress) or self._pumps < before

    def _log(self, path: Path) -> LogFile:
        if path not in self._logs:
            self._logs[path] = LogFile(path)
        return self._logs[path]


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
