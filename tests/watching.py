"""Watching jobs and processes from outside, for a bounded time."""

import json
import os
import select
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

SECONDS = 60


def until(condition, what):
    """Look until a condition holds, for a bounded time, and return its value."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if found := condition():
            return found
        select.select([], [], [], 0.02)
    pytest.fail(f"waited {SECONDS} s for {what}")


def job_json(bai, name):
    """Return the properties of a job in wire form."""
    return json.loads(bai.run("get", "job", name, "-o", "json").stdout)["properties"]


def _supervising(state):
    """Return pid -> command line of guardians and supervisors of a state folder."""
    jobs, found = Path(state) / "jobs", {}
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        is_here = any(Path(word).parent == jobs for word in words)
        if is_here and any(".guardian import main" in word for word in words):
            found[process.pid] = words
    return found


def guardians(state):
    """Return the process ids of guardians and supervisors of a state folder."""
    return list(_supervising(state))


def supervisors(state):
    """Return uuid -> (guardian, supervisor) for the attempts of a state folder that have both."""
    found, pairs = _supervising(state), {}
    for pid, words in found.items():
        with suppress(psutil.NoSuchProcess):
            parent = psutil.Process(pid).ppid()
            if found.get(parent) == words:
                folder = next(word for word in words if Path(word).parent == Path(state) / "jobs")
                pairs[Path(folder).name] = parent, pid
    return pairs


def gone(pid):
    """Wait for the end of a process; False if it does not end."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    ended = bool(poll.poll(SECONDS * 1000))
    os.close(handle)
    return ended
