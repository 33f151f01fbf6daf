"""Finding and ending processes that belong to an attempt."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

GRACE_SECONDS = 5.0
"""How long processes may take to end by themselves after SIGTERM."""

KILL_SECONDS = 30.0
"""How long to wait after SIGKILL: the kernel may hold a process, on a dead disk."""

_LOOK_SECONDS = 0.05
_LONGEST_STAT = 4096
_SIGNALLED = 128
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LIBC = ctypes.CDLL(None, use_errno=True)


def become_subreaper() -> None:
    """Make orphans below this process its children, however they detached."""
    _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with(parent: int, by: int = signal.SIGKILL) -> Callable[[], None]:
    """Return what a child of process `parent` calls before it runs a program.

    The kernel sends the child a signal when the parent dies, and signals have their default effect.
    """

    def prepare() -> None:
        _reset_signals()
        _LIBC.prctl(_PR_SET_PDEATHSIG, by, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(_SIGNALLED + signal.SIGKILL)

    return prepare


def _reset_signals() -> None:
    """Ignore and block no signals.

    A shell has programs in the background ignore SIGINT and SIGQUIT, nohup SIGHUP, Python SIGPIPE.
    """
    for number in signal.valid_signals():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def descendants(*roots: int) -> list[int]:
    """Return the process ids below `roots`, also of those that ended and were not waited for.

    A process whose first thread has ended looks just like those, and may still work.
    """
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208 - in a loop, and pathlib is slow
        if entry.isdigit() and (found := _parent(int(entry))) is not None:
            children.setdefault(found, []).append(int(entry))
    below, stack = [], list(roots)
    while stack:
        for pid in children.get(stack.pop(), ()):
            below.append(pid)
            stack.append(pid)
    return below


def is_halted(pid: int) -> bool:
    """Return whether a signal has stopped a process (SIGSTOP, SIGTSTP), and none continued it."""
    stat = fields(pid)
    return stat is not None and stat[0] == b"T"


def program(pid: int) -> str:
    """Return the first 15 bytes of the name of a process's program; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text(errors="replace").rstrip("\n")
    except OSError:
        return ""


def start_time(pid: int) -> int | None:
    """Return when a process was started, in the kernel's ticks; None if it has ended.

    With its process id, that is a name that no other process ever has, until the next boot.
    """
    stat = fields(pid)
    # One whose first thread alone has ended may still work.
    if stat is None or (stat[0] in (b"Z", b"X") and int(stat[17]) <= 1):
        return None
    return int(stat[19])


def _parent(pid: int) -> int | None:
    stat = fields(pid)
    return None if stat is None else int(stat[1])


def fields(pid: int) -> list[bytes] | None:
    """Return what `/proc` says of a process behind its name: state, parent and more."""
    try:
        handle = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        try:
            stat = os.read(handle, _LONGEST_STAT)
        finally:
            os.close(handle)
    except OSError:
        return None
    # The name, in parentheses, may itself contain spaces and parentheses.
    return stat[stat.rfind(b")") + 2 :].split()


def marked(marker: str) -> list[int]:
    """Return the processes with `marker` (`NAME=value`) in their environment."""
    needle = marker.encode()
    found = []
    for entry in os.listdir("/proc"):  # noqa: PTH208
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                environment = Path(f"/proc/{entry}/environ").read_bytes()
            except OSError:
                continue
            if needle in environment.split(b"\0"):
                found.append(int(entry))
    return found


def eldest(marker: str) -> int | None:
    """Return the process with `marker` in its environment that was started first; None if none."""
    found = {pid: since for pid in marked(marker) if (since := start_time(pid)) is not None}
    return min(found, key=lambda pid: (found[pid], pid), default=None)


def send(pids: Iterable[int], number: signal.Signals) -> None:
    """Send a signal to each process that still exists and is ours."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue


def end(
    find: Callable[[], list[int]],
    grace: float = GRACE_SECONDS,
    wait: Callable[[float], None] | None = None,
    unasked: Collection[int] = (),
) -> list[int]:
    """End all processes that `find` returns, at first by SIGTERM, after `grace` s by SIGKILL.

    Looks again until none is left, so that what they start meanwhile is ended too.

    Args:
        find: returns process ids; called again and again.
        grace: seconds until SIGKILL.
        wait: called with a number of seconds to do something else for meanwhile.
        unasked: process ids that get no SIGTERM, since they end with the others.

    Returns:
        Process ids of what SIGKILL did not end in `KILL_SECONDS`.
    """
    found = find()
    # Only those that exist now: what they start to clean up is not disturbed.
    send([pid for pid in found if pid not in unasked] or found, signal.SIGTERM)
    deadline = time.monotonic() + grace
    while alive := _reaped(find()):
        left = deadline - time.monotonic()
        if left < -KILL_SECONDS:
            return alive
        if left <= 0:
            send(alive, signal.SIGKILL)
        if wait:
            wait(_LOOK_SECONDS)
        else:
            await_end(alive, max(min(left, 0.5), _LOOK_SECONDS))
    return []


def _reaped(pids: list[int]) -> list[int]:
    """Collect those of `pids` that are ended children of this process; return the others."""
    left = []
    for pid in pids:
        try:
            if os.waitpid(pid, os.WNOHANG) == (0, 0):
                left.append(pid)
        except ChildProcessError:
            left.append(pid)
    return left


def await_end(pids: Collection[int], seconds: float) -> bool:
    """Wait until one of the processes ends, for `seconds` at most.

    Returns:
        False at once if there is nothing to wait for: no process, or one that has ended before.
    """
    if not pids:
        return False
    poll = select.poll()
    handles = []
    try:
        for pid in pids:
            try:
                handles.append(os.pidfd_open(pid))
            except ProcessLookupError:
                return False
            poll.register(handles[-1], select.POLLIN)
        poll.poll(seconds * 1000)
        return True
    finally:
        for handle in handles:
            os.close(handle)


def is_stopped(pid: int) -> bool:
    """Return whether a process was stopped, by SIGSTOP or a debugger, and not continued."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    return stat[stat.rfind(b")") + 2 :][:1] in (b"T", b"t")


def ask_to_end(pid: int | None, word: str) -> bool:
    """Send SIGTERM to a process if its command line has a given word; return whether it does."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    if pid is None or word.encode() not in words:
        return False
    send([pid], signal.SIGTERM)
    return True
