"""Which job starts, and when."""

import os

from watching import SECONDS, job_json


def test_jobs_of_a_cluster_run_by_priority_then_age(bai):
    order = bai.folder / "order"
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    first = bai.custom("first", f"read x < {gate}; echo first >> {order}", nodeCount=2)
    rest = "".join(
        bai.custom(name, f"echo {name} >> {order}", nodeCount=2, priority=priority)
        for name, priority in (("low", "low"), ("second", "normal"), ("high", "high"))
    )
    bai.run("apply", "-d", bai.write(first))
    bai.run("wait", "first", "--for", "running")
    bai.run("apply", "-d", bai.write(first + rest))
    assert job_json(bai, "high")["executionState"] == "queued"
    gate.write_text("go\n")
    for name in ("low", "second", "high"):
        bai.run("wait", name)
    assert order.read_text().split() == ["first", "high", "second", "low"]


def test_commands_that_start_the_same_at_once(bai):
    """One of them makes it; for the others it is unchanged."""
    spec = bai.write(bai.custom("once", "true"))
    started = [bai.start("apply", "-d", spec) for _ in range(4)]
    said = [process.communicate(timeout=SECONDS) for process in started]
    assert [process.returncode for process in started] == [0] * 4, said
    assert sum("job/once created" in text for text, _ in said) == 1
    assert sum("job/once unchanged" in text for text, _ in said) == 3
    assert len(list((bai.folder / ".bai/jobs").iterdir())) == 1
