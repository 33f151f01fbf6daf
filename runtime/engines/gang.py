"""The processes of a job: started together, ended together."""

from __future__ import annotations

import os
import selectors
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from bai.runtime.engines import processes
from bai.runtime.engines.blame import Blame, Failure
from bai.runtime.engines.pump import LogFile, Pump
from bai.runtime.errors import LaunchError

TICK_SECONDS = 0.2
"""How often the gang looks whether it is asked to end."""

CULPRIT_SECONDS = 5.0
"""How long to wait for the rank at fault, once others have failed because of it."""

_SIGNALLED = 128


@dataclass(frozen=True, slots=True)
class RemoteRank:
    """A rank that another program, mpirun, starts; it is heard through named pipes.

    It writes its output to `stdout` and `stderr`, and in the end its exit code, in digits, to
    `exit_code`.
    """

    name: str
    label: str
    stdout: Path
    stderr: Path
    exit_code: Path


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
    service: bool = False
    """Whether the gang has succeeded without its end."""
    ranks: tuple[RemoteRank, ...] = ()
    """The ranks that it starts itself."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a gang ended: all well, if nothing is set."""

    failure: Failure | None = None
    """The member or rank that failed first."""
    stopped: str | None = None
    """Why it was stopped, as `stop` said."""
    survivors: tuple[int, ...] = ()
    """Process ids of what even SIGKILL does not end, stuck in the kernel."""


class Gang:
    """Runs members until all have succeeded or one fails; then nothing of them is left."""

    def __init__(self, spared: Collection[int] = ()) -> None:
        """Begin with no members.

        Args:
            spared: other children of this process, which live on when the gang ends.
        """
        self._spared = frozenset(spared)
        self._selector = selectors.DefaultSelector()
        self._logs: dict[Path, LogFile] = {}
        self._pumps: list[Pump] = []
        self._running: dict[int, Member] = {}
        self._blame = Blame()
        self._broken: OSError | None = None

    def start(self, member: Member) -> None:
        """Start a member.

        Raises:
            LaunchError: its program is missing or can't be run.
            OSError: its logs can't be written.
        """
        self._log(member.stdout)
        self._log(member.stderr)
        for rank in member.ranks:
            self._hear(rank, member)
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
                preexec_fn=processes.die_with(os.getpid()),
            )
        except OSError as error:
            raise LaunchError(f"can't run {member.argv[0]}: {error.strerror}") from None
        except ValueError:
            # The value is not shown: it may be a secret.
            message = f"can't run {member.argv[0]}: a NUL character in an argument or a variable"
            raise LaunchError(message) from None
        pumps = self._pump_both(member, member.name, member.label, *_owned(process))
        handle = os.pidfd_open(process.pid)
        self._running[handle] = member
        self._selector.register(
            handle, selectors.EVENT_READ, partial(self._ended, handle, process, pumps)
        )

    def run(self, stop: Callable[[], str | None]) -> Outcome:
        """Wait for the end.

        Args:
            stop: asked now and then; returns a reason to end the gang, or None.

        Raises:
            OSError: a log can't be written; the gang has been ended.
        """
        stopped, asked, settled = None, 0.0, float("inf")
        while self._awaited() and not self._broken and not self._blame.certain:
            self._step(TICK_SECONDS)
            now = time.monotonic()
            if self._blame.any:
                settled = min(settled, now + CULPRIT_SECONDS)
            if now > settled:
                break
            if now - asked > TICK_SECONDS:
                asked = now
                if stopped := stop():
                    break
        failure = self._blame.first
        survivors = self.end()
        return Outcome(failure, stopped if failure is None else None, survivors)

    def end(self) -> tuple[int, ...]:
        """End everything below this process, and write out what is left in the pipes.

        Returns:
            Process ids of what can't be ended.

        Raises:
            OSError: a log could not be written.
        """
        survivors = processes.end(self._left, wait=lambda seconds: self._step(min(seconds, 0.1)))
        for pump in self._pumps:
            self._move(pump.drain)
        for key in list(self._selector.get_map().values()):
            if key.fd in self._running:
                os.close(key.fd)
        self._selector.close()
        for pump in self._pumps:
            pump.close()
        for log in self._logs.values():
            log.close()
        if self._broken:
            raise self._broken
        return tuple(survivors)

    def _awaited(self) -> bool:
        return any(not member.service for member in self._running.values())

    def _left(self) -> list[int]:
        return [p for p in processes.descendants(os.getpid()) if p not in self._spared]

    def _step(self, seconds: float) -> None:
        """Wait at most `seconds` for output or an end, and handle what came."""
        for key, _ in self._selector.select(seconds):
            key.data()

    def _move(self, pump: Callable[[], object]) -> None:
        """Pump; if the log can't be written, stop reading, so that the members notice."""
        try:
            pump()
        except OSError as error:
            self._broken = self._broken or error
            for each in self._pumps:
                self._close(each)

    def _close(self, pump: Pump) -> None:
        if not pump.closed:
            self._selector.unregister(pump.source)
            pump.close()

    def _ready(self, pump: Pump) -> None:
        if pump.closed:
            return
        source = pump.source
        self._move(pump.pump)
        if pump.closed and source in self._selector.get_map():
            self._selector.unregister(source)

    def _ended(self, handle: int, process: subprocess.Popen[bytes], pumps: Sequence[Pump]) -> None:
        member = self._running.pop(handle)
        self._selector.unregister(handle)
        os.close(handle)
        code = process.wait()
        for pump in pumps:
            # What it said last tells whether it was at fault.
            self._drain(pump)
        if code and not (member.ranks and self._blame.any):
            self._blame.failed(member.name, _SIGNALLED - code if code < 0 else code)

    def _drain(self, pump: Pump) -> None:
        source, open_before = pump.source, not pump.closed
        self._move(pump.drain)
        if open_before and pump.closed and source in self._selector.get_map():
            self._selector.unregister(source)

    def _hear(self, rank: RemoteRank, member: Member) -> None:
        streams = []
        for path in (rank.stdout, rank.stderr, rank.exit_code):
            os.mkfifo(path, 0o600)
            streams.append(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
        pumps = self._pump_both(member, rank.name, rank.label, *streams[:2])
        report = streams[2]
        self._selector.register(
            report, selectors.EVENT_READ, partial(self._reported, report, rank, pumps)
        )

    def _reported(self, report: int, rank: RemoteRank, pumps: Sequence[Pump]) -> None:
        text = os.read(report, 16)
        self._selector.unregister(report)
        os.close(report)
        for pump in pumps:
            self._drain(pump)
        if text.strip() not in (b"", b"0"):
            self._blame.failed(rank.name, int(text))

    def _pump_both(
        self, member: Member, name: str, label: str, stdout: int, stderr: int
    ) -> list[Pump]:
        pumps = []
        for stream, source, path in (
            ("stdout", stdout, member.stdout),
            ("stderr", stderr, member.stderr),
        ):
            text = f"[{label}]<{stream}>: ".encode() if label else b""
            observe = self._blame.observer(name) if stream == "stderr" else None
            pump = Pump(source, self._log(path), text, observe)
            self._selector.register(source, selectors.EVENT_READ, partial(self._ready, pump))
            pumps.append(pump)
        self._pumps += pumps
        return pumps

    def _log(self, path: Path) -> LogFile:
        if path not in self._logs:
            self._logs[path] = LogFile(path)
        return self._logs[path]
