"""What runs for the jobs of a world, read from /proc."""

import os
import re
import signal
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

RANK, GRANDCHILD, SUPERVISOR, GUARDIAN = "rank", "grandchild", "supervisor", "guardian"


@dataclass(frozen=True)
class Process:
    """A process of a job, or one that runs a job."""

    pid: int
    parent: int
    words: tuple[str, ...]
    role: str
    attempt: str | None
    """The uuid of its attempt; None if that can't be seen."""

    def __str__(self) -> str:
        line = "" if self.role in (SUPERVISOR, GUARDIAN) else f": {' '.join(self.words)[:200]}"
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
    runners = {p.pid: p for p in found if p.role == GUARDIAN}
    return [
        replace(p, role=SUPERVISOR)
        if p.role == GUARDIAN and p.parent in runners and runners[p.parent].attempt == p.attempt
        else p
        for p in found
    ]


def _process(pid: int, mark: str, state: str) -> Process | None:
    with suppress(OSError, IndexError):
        words = _words(pid)
        line = "\0".join(words)
        if mark in line:
            role = GRANDCHILD if words[0].startswith(mark) else RANK
            return Process(pid, _parent(pid), words, role, _attempt(words[0]) or _from_environ(pid))
        if words and state in line and (attempt := _attempt(line)):
            return Process(pid, _parent(pid), words, GUARDIAN, attempt)
        if words and f"CHAOS_MARK={mark}".encode() in _environ(pid):
            return Process(pid, _parent(pid), words, GRANDCHILD, _from_environ(pid))
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


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
