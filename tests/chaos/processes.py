"""What runs for the jobs of a world, read from /proc."""

import os
import re
import signal
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

RANK, GRANDCHILD, AGENT = "rank", "grandchild", "agent"
STARTING, SUPERVISOR, GUARDIAN = "starting", "supervisor", "guardian"

OF_JOB = (RANK, GRANDCHILD)
"""What must not outlive its run."""

BEHIND = (STARTING, SUPERVISOR, GUARDIAN)
"""What stands behind a run. What has not claimed it yet is starting."""

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Process:
    """A process of a job, or one that runs a job."""

    pid: int
    parent: int
    words: tuple[str, ...]
    role: str
    attempt: str | None
    """The uuid of its attempt; None if that can't be seen."""
    started: float = field(compare=False)
    """When it was started."""

    def __str__(self) -> str:
        line = "" if self.role in BEHIND else f": {' '.join(self.words)[:200]}"
        return f"{self.role} {self.pid} of {self.attempt}{line}"

    def send(self, number: signal.Signals) -> bool:
        """Send a signal, unless the process id is another process's by now."""
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return False
        try:
            if _words(self.pid) != self.words:
                return False
            signal.pidfd_send_signal(handle, number)
        except ProcessLookupError:
            return False
        finally:
            os.close(handle)
        return True


def of_world(mark: str, state: Path, commands: Collection[int]) -> list[Process]:
    """Return the processes that belong to the jobs of a world.

    Args:
        mark: what the jobs' own processes have in their arguments or their environment.
        state: the state folder, which stands in the arguments of what runs jobs.
        commands: process ids of commands, which are neither.
    """
    found = [
        process
        for pid in _pids()
        if pid not in commands and (process := _process(pid, mark, str(state)))
    ]
    starting = {p.pid: p.attempt for p in found if p.role == STARTING and p.words[0] != "sh"}
    return [
        replace(p, role=_role_behind(p, starting, state)) if p.pid in starting else p for p in found
    ]


def _role_behind(process: Process, others: Mapping[int, str | None], state: Path) -> str:
    """Return the role of one of the processes that run an attempt: a guardian forks the others."""
    folder, run = state / "jobs" / (process.attempt or ""), process.words[-3]
    if not (folder / f"claim-{run}").exists():
        return STARTING
    if others.get(process.parent) == process.attempt:
        return SUPERVISOR
    with suppress(OSError), (folder / f"journal-{run}.jsonl").open("rb") as journal:
        # Its guardian was killed.
        if f'"claimed", "{process.pid}"'.encode() in journal.readline():
            return SUPERVISOR
    return GUARDIAN


def _process(pid: int, mark: str, state: str) -> Process | None:
    with suppress(OSError, IndexError):
        words = _words(pid)
        line = "\0".join(words)
        if not words:
            return None
        role = attempt = None
        if mark in line:
            role = GRANDCHILD if words[0].startswith(mark) else RANK
            attempt = _attempt(words[0]) or _from_environ(pid)
        elif "bai.runtime.node.agent" in line:
            attempt = _from_control_group(pid, state)
            role = AGENT if attempt else None
        elif state in line and (attempt := _attempt(line)):
            role = STARTING
        elif f"CHAOS_MARK={mark}".encode() in _environ(pid):
            role, attempt = GRANDCHILD, _from_environ(pid)
        if role:
            parent, started = _stat(pid)
            return Process(pid, parent, words, role, attempt, started)
    return None


def _pids() -> Iterator[int]:
    return (int(entry) for entry in os.listdir("/proc") if entry.isdigit())  # noqa: PTH208


def _words(pid: int) -> tuple[str, ...]:
    try:
        data = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return ()
    return tuple(data.decode(errors="replace").split("\0")[:-1])


def _environ(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


def _from_environ(pid: int) -> str | None:
    """Return the attempt that the folder of the logs belongs to."""
    for line in _environ(pid).split(b"\0"):
        if line.startswith(b"AZ_BATCHAI_STDOUTERR_DIR="):
            return _attempt(line.decode().rpartition("/stdouterr")[0].rpartition("/")[2])
    return None


def _attempt(text: str) -> str | None:
    found = UUID.search(text)
    return found[0] if found else None


def _from_control_group(pid: int, state: str) -> str | None:
    """Return the attempt of a state folder that the process's control group is of."""
    attempt = _attempt(Path(f"/proc/{pid}/cgroup").read_text())
    return attempt if attempt and Path(state, "jobs", attempt).exists() else None


def _stat(pid: int) -> tuple[int, float]:
    """Return the parent of a process, and when it was started."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(words[19]) / _TICKS
    return int(words[1]), time.time() - age
