"""Watching jobs and processes from outside, for a bounded time."""

import json
import os
import select
import time

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
