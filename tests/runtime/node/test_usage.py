"""What trees of processes use."""

import os
import subprocess
import sys

import pytest
from watching import until

from bai.runtime.node import usage
from bai.runtime.node.usage import CPU, MEMORY, Usage

TREE = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c",
    "x = bytearray(60_000_000); print('ready', flush=True)\\nwhile True: pass"])
child.wait()
"""


@pytest.fixture
def tree():
    """A process that waits for a busy child with 60 MB of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", TREE], stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout.readline() == b"ready\n"
    yield process.pid
    subprocess.run(["kill", "-9", "--", f"-{process.pid}"], check=True)
    process.wait()
    process.stdout.close()


def test_a_tree_is_measured_with_all_that_it_has_started(tree):
    measured = Usage()
    first = measured.look([tree])[tree]
    assert 0 < first[CPU] < 3
    assert 60e6 < first[MEMORY] < 300e6
    # Only what was used since the last look counts, and that grows while it is looked at.
    until(lambda: measured.look([tree])[tree][CPU] > 0, "some CPU time")


def test_the_time_of_children_that_have_ended_still_counts():
    busy = "t = __import__('time').process_time\nwhile t() < 0.3: pass"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])"
    process = subprocess.Popen(
        [sys.executable, "-c", f"{parent}; print('ended', flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        process.stdout.readline()
        assert usage._trees([process.pid])[process.pid].ticks * usage._TICK >= 0.29
        process.communicate(b"\n")


def test_what_is_ending_is_not_measured():
    with subprocess.Popen(["true"]) as process:
        # It has ended, and nobody has asked how.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert Usage().look([process.pid]) == {}


def test_what_is_gone_is_not_measured():
    process = subprocess.Popen(["true"])
    process.wait()
    assert Usage().look([process.pid]) == {}


def test_looks_become_rarer(monkeypatch):
    now = 0.0
    monkeypatch.setattr(usage.time, "monotonic", lambda: now)
    measured, looks = Usage(), 0
    measured.wait()
    assert not measured.is_due
    week = 7 * 24 * 3600
    while now < week:
        now = measured._next
        assert measured.is_due
        measured.look([])
        looks += 1
        assert not measured.is_due
    assert 4_500 < looks < 4_700
