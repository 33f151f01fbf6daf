"""What bai describe shows of a job that is being deleted, and of a damaged state."""

import sqlite3
import subprocess
import sys

import pytest

DELETED_AT = """\
import sys
from bai.runtime.provider.database import Database
from bai.session import connect
from bai.cli.main import main

read, reads = Database.read, 0

def deleting(self, *arguments):
    global reads
    reads += 1
    if reads == {number}:
        session = connect()
        session.provider.delete(session.find("job", "one").id)
    return read(self, *arguments)

Database.read = deleting
sys.argv = ["bai", "describe", "job", "one"]
main()
"""


def test_a_job_that_is_deleted_meanwhile(bai):
    """Whenever the job goes, its description is whole, or the command says that it is gone."""
    spec = bai.write(bai.custom("one", "true"))
    for number in (1, 3, 4, 5):
        bai.run("apply", spec)
        done = subprocess.run(
            [sys.executable, "-c", DELETED_AT.format(number=number)],
            cwd=bai.folder,
            env=bai.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 2)
        if done.returncode:
            (line,) = done.stderr.splitlines()
            assert "job/one was deleted" in line or "there is no job 'one'" in line


@pytest.mark.parametrize("wire", ["{}", "[]", '{"properties": {"nodeCount": "x"}}'])
def test_a_database_in_which_something_scribbled(bai, wire):
    bai.run("apply", bai.write(bai.custom("one", "true")))
    with sqlite3.connect(bai.folder / ".bai/state.db") as connection:
        connection.execute("UPDATE resources SET wire = ? WHERE kind = 'jobs'", (wire,))
    connection.close()
    for command in ("get", "describe job one", "diff experiment.yaml"):
        said = bai.run(*command.split(), code=2).stderr
        assert "state.db is damaged: what it holds of job/one is not valid. Move it away" in said
