"""Trainings of examples: to their end, however long a busy machine takes, or with a killed rank."""

import signal

import psutil
import pytest

UNHURRIED = pytest.mark.timeout(1800)
"""For tests that train: they take minutes beside others on two cores."""


def to_the_end(bai, *arguments):
    """Run bai to its end, and return what it said."""
    output, errors = bai.start(*arguments).communicate()
    assert "Traceback" not in output + errors, output + errors
    return output


def processes(folder, rank):
    """Return the processes of a rank of the job that runs in the state of a folder."""
    found = []
    for process in psutil.process_iter(["environ"]):
        environment = process.info["environ"] or {}
        here = environment.get("AZ_BATCHAI_JOB_TEMP", "").startswith(str(folder))
        if here and environment.get("HOROVOD_RANK") == str(rank):
            found.append(process)
    return found


HOLD = """\
import os, sys, time


class Held:
    def __init__(self, stream):
        self.stream, self.said = stream, ""

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text):
        self.said += text
        return self.stream.write(text)

    def flush(self):
        self.stream.flush()
        if {line!r} in self.said:
            time.sleep(3600)


if os.environ.get("HOROVOD_RANK") == "0":
    sys.stdout = Held(sys.stdout)
"""
"""Keeps rank 0 from going on once it has said a line, for Python imports this before a script."""


def killed(bai, job, *arguments, rank, line):
    """Apply, kill a rank of the job behind a line of rank 0, and return what the ranks said.

    Rank 0 waits there: a busy machine may train for epochs before anyone hears of that line.
    """
    hold = bai.folder / "hold"
    hold.mkdir()
    (hold / "sitecustomize.py").write_text(HOLD.format(line=line))
    bai.environment["PYTHONPATH"] = str(hold)
    bai.run("apply", "--detach", *arguments)
    del bai.environment["PYTHONPATH"]
    follower = bai.start("logs", "--follow", job)
    said = []
    for each in follower.stdout:
        said.append(each)
        if line in each:
            break
    else:
        pytest.fail(f"no rank said {line!r}: {said} {follower.communicate()}")
    found = processes(bai.folder, rank)
    assert found, "the rank is gone already"
    for process in found:
        process.send_signal(signal.SIGKILL)
    rest, errors = follower.communicate()
    assert "Traceback" not in errors, errors
    assert f"rank {rank}" in bai.run("wait", job, code=1).stderr
    return "".join([*said, rest])
