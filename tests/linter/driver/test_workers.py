"""Work spread over processes: in order, and never a wait for a process that is gone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bai.linter.driver.workers import WorkerError, spread

KILLED = """
import os, signal, sys
from bai.linter.driver.workers import WorkerError, spread

begun, begin = os.pipe()

def work(item):
    if item == 2:
        # It has no writer.
        os.open(sys.argv[1], os.O_RDONLY)
    if item == 3:
        os.read(begun, 1)
        os.kill(os.getpid(), signal.SIGKILL)
    return item

try:
    for each in spread(work, range(20000), 2):
        print(each)
        os.write(begin, b".")
except WorkerError as error:
    print("reported:", error)
"""

ORPHANS = """
import os
from bai.linter.driver.workers import spread

def work(item):
    return os.getpid(), bytes(item and 1 << 24)

results = spread(work, [0, 0, 1, 1], 2)
print(next(results)[0], next(results)[0], flush=True)
os.read(0, 1)
"""


@pytest.fixture
def pipe(tmp_path):
    """A pipe without a writer."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def script(text, *arguments):
    return [sys.executable, "-c", text, *map(str, arguments)]


def test_results_come_in_order():
    assert list(spread(str, range(100), 3)) == [str(number) for number in range(100)]
    assert list(spread(str, [], 2)) == []
    # More than a pipe holds.
    assert [len(each) for each in spread(bytes, [1 << 22] * 9, 2)] == [1 << 22] * 9


def test_an_error_comes_after_the_results_before_it():
    results = spread(lambda number: 1 / number, [1, 2, 4, 0, 5], 2)
    assert [next(results), next(results), next(results)] == [1, 0.5, 0.25]
    with pytest.raises(ZeroDivisionError) as raised:
        next(results)
    # Where it happened, which would be lost on the way.
    assert "lambda" in raised.value.__notes__[0]


def test_a_killed_process_is_reported_though_much_is_left_to_do(pipe):
    """The executors of the standard library hang here (Python 3.11.7), with a process left."""
    done = subprocess.run(
        script(KILLED, pipe), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    *before, last = done.stdout.splitlines()
    assert before == ["0", "1"]
    assert last.startswith("reported: a process was killed")


def test_what_a_killed_process_has_sent_is_not_lost(pipe):
    begun, begin = os.pipe()

    def work(item):
        if item == 2:
            os.write(begin, b".")
            # It has no writer.
            os.open(pipe, os.O_RDONLY)
        return os.getpid()

    pids = spread(work, range(9), 1)
    pid = next(pids)
    # It has sent the second one, and is at the third.
    os.read(begun, 1)
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert next(pids) == pid
    with pytest.raises(WorkerError):
        next(pids)
    os.close(begun)
    os.close(begin)


def test_a_process_killed_while_it_sends():
    sizes = spread(lambda size: (os.getpid(), bytes(size)), [1, 1 << 26], 1)
    pid, _ = next(sizes)
    # Its results are not read, and are more than a pipe holds.
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerError, match="--jobs 1"):
        next(sizes)


def test_no_process_outlives_the_run():
    pids = spread(lambda _: os.getpid(), range(100), 2)
    found = {next(pids), next(pids), next(pids)}
    pids.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in found)


def test_processes_end_with_a_killed_parent():
    """They wait for work, or for somebody to take what they made."""
    with subprocess.Popen(
        script(ORPHANS), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        pids = process.stdout.readline().split()
        process.kill()
        # Its end closes, and so do the ends that its processes have inherited.
        assert pids
        assert process.stdout.read() == ""
