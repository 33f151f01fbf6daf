"""Full disks below the state folder of the embedded provider."""

import os
import sqlite3
from contextlib import suppress

from watching import gone, guardians, job_json, supervisors, until


def newest(state, column):
    """Return what the database says of the newest attempt."""
    database = sqlite3.connect(state / "state.db")
    try:
        query = f"SELECT {column} FROM attempts ORDER BY created DESC LIMIT 1"
        return database.execute(query).fetchone()[0]
    finally:
        database.close()


def test_a_full_disk_below_the_state_does_not_hide_the_end(bai, small):
    """The database can't say how the job ended, and says it as soon as there is room."""
    bai.context(slots=2, state=small)
    done = bai.run("apply", bai.write(bai.custom("full", "yes")), code=1)
    assert "JobLogsFailed" in done.stdout
    assert newest(small, "ended") is None
    assert "failed" in bai.run("get", "jobs").stdout
    assert "No space left on device" in bai.run("describe", "job", "full").stdout
    again = bai.run("apply", "experiment.yaml", "--rerun", code=2)
    assert "the disk is full" in again.stderr
    removed = bai.run("delete", "job", "full", "-y", code=2)
    assert "the disk is full" in removed.stderr
    ended = job_json(bai, "full")["executionInfo"]["endTime"]
    found = guardians(small)
    for log in small.rglob("stdouterr/*.txt"):
        os.truncate(log, 0)
    assert all(gone(pid) for pid in found)
    assert newest(small, "ended")
    assert job_json(bai, "full")["executionInfo"]["endTime"] == ended
    assert "failed" in bai.run("get", "jobs").stdout


def test_what_waits_for_a_job_whose_end_a_full_disk_hides_says_so(bai, small):
    bai.context(slots=2, state=small)
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    spec = bai.write(
        bai.custom("full", f"read x < {gate}; yes") + bai.custom("next", "true"), scale=1
    )
    bai.run("apply", "-d", spec)
    bai.run("wait", "full", "--for", "running")
    gate.write_text("go\n")
    bai.run("wait", "full", code=1)
    words = "waits for space on the disk: it is full, and can't take that full ended"
    until(lambda: words in bai.run("describe", "job", "next").stdout, words)
    for log in small.rglob("stdouterr/*.txt"):
        os.truncate(log, 0)
    bai.run("wait", "next")
    assert all(gone(pid) for pid in guardians(small))


def test_a_job_can_be_cancelled_on_a_full_disk(bai, small):
    bai.context(slots=2, state=small)
    pid = bai.folder / "pid"
    command = f"echo $$ > {pid}; sleep 600"
    bai.run("apply", "-d", bai.write(bai.custom("long", command)))
    until(lambda: pid.exists() and pid.read_text(), "the job's process")
    ((guardian, _),) = supervisors(small).values()
    with suppress(OSError), (small / "fill").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    bai.run("cancel", "long")
    assert gone(int(pid.read_text()))
    assert "cancelled" in bai.run("get", "jobs").stdout
    (small / "fill").unlink()
    assert gone(guardian)
    assert "cancelled" in bai.run("get", "jobs").stdout
