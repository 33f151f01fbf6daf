"""Runs of an attempt that only a folder knows: no database, one run after another."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bai.compiler.resources.ids import ResourceId
from bai.runtime.jobs.journal import StopReason, ask_to_stop, read_journal
from bai.runtime.jobs.paths import AttemptPaths
from bai.runtime.jobs.records import ExecutionState
from bai.runtime.jobs.run_spec import RunSpec
from bai.runtime.jobs.submitted import Submitted, write_submitted

JOB = (
    "/subscriptions/s/resourceGroups/g/providers/Microsoft.BatchAI"
    "/workspaces/w/experiments/e/jobs/train"
)
# A supervisor ends everything below its process: it needs one of its own.
SUPERVISE = """
import sys
from pathlib import Path
from bai.runtime.jobs.journal import FileJournal
from bai.runtime.jobs.run_spec import read_run_spec
from bai.runtime.jobs.submitted import read_submitted
from bai.runtime.supervisor.run import run_attempt
spec = read_run_spec(Path(sys.argv[1]), int(sys.argv[2]))
journal = FileJournal(Path(spec.folder), spec.run)
journal.end(run_attempt(spec, read_submitted(Path(spec.folder)), journal))
"""


class Runs:
    """The runs of one attempt."""

    def __init__(self, folder):
        self.folder = folder / "shared/jobs/u"
        write_submitted(self.folder, Submitted(dict(os.environ), {}))
        self.shared = folder / "shared"

    def spec(self, command, run=1, nodes=(4, 2), **properties):
        wire = {
            "nodeCount": len(nodes),
            "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/r",
            "mountVolumes": {
                "azureFileShares": [
                    {
                        "accountName": "acc",
                        "azureFileUrl": "https://acc.file.core.windows.net/r",
                        "relativeMountPath": "r",
                    }
                ]
            },
            "customToolkitSettings": {"commandLine": command},
        } | properties
        spec = RunSpec(
            uuid="u",
            job=ResourceId.parse(JOB),
            run=run,
            nodes=nodes,
            wire={"properties": wire},
            cluster=None,
            folder=str(self.folder),
            storage=str(self.shared / "storage"),
            file_servers=str(self.shared / "fileservers"),
        )
        spec.write()
        return spec

    def start(self, run=1):
        argv = [sys.executable, "-c", SUPERVISE, str(self.folder), str(run)]
        return subprocess.Popen(argv, cwd="/")

    def end(self, run=1):
        (end,) = [r for r in self.records(run) if r.kind == "end"]
        return end.as_end()

    def records(self, run=1):
        return read_journal(self.folder, run)[0]

    def run(self, run=1):
        assert self.start(run).wait(60) == 0
        return self.end(run)

    def log(self, name):
        return (self.paths.stdouterr / name).read_text()

    @property
    def paths(self):
        return AttemptPaths.of_run(self.spec(":"))


@pytest.fixture
def runs(tmp_path):
    return Runs(tmp_path)


def test_what_a_run_reports(runs):
    runs.spec("echo $AZ_BATCHAI_MPI_HOST_FILE; exit 3")
    end = runs.run()
    assert (end.state, end.exit_code, end.errors[0].code) == ("failed", 3, "JobFailed")
    found = [(record.kind, record.message) for record in runs.records()]
    assert found[:2] == [("phase", "mounting"), ("phase", "running")]
    assert found[2] == ("rank", "the process failed with exit code 3")
    assert runs.log("stdout.txt") == f"{runs.paths.host_file}\n"
    assert sorted(p.name for p in (runs.folder / "nodes").iterdir()) == ["0", "1"]


@pytest.mark.parametrize(
    ("reason", "state", "errors"),
    [
        (StopReason.CANCEL, "failed", ["JobTerminated"]),
        (StopReason.RESIZE, "failed", ["JobNodeRemoved"]),
        (StopReason.REQUEUE, "queued", []),
    ],
)
def test_a_run_that_is_stopped(runs, reason, state, errors):
    fifo = runs.shared / "fifo"
    os.mkfifo(fifo)
    runs.spec(f"echo > {fifo}; sleep 600")
    process = runs.start()
    fifo.read_text()
    ask_to_stop(runs.folder, 1, reason)
    assert process.wait(60) == 0
    end = runs.end()
    assert (end.state, end.exit_code) == (state, None)
    assert [error.code for error in end.errors] == errors


@pytest.mark.parametrize("toolkit", ["customToolkitSettings", "customMpiSettings"])
def test_a_second_run_begins_with_empty_folders_and_adds_to_the_logs(runs, request, toolkit):
    if toolkit == "customMpiSettings":
        request.getfixturevalue("needs_mpirun")
    command = (
        "ls -A . $AZ_BATCHAI_SHARED_JOB_TEMP $AZ_BATCHAI_OUTPUT_o; touch own "
        "$AZ_BATCHAI_SHARED_JOB_TEMP/shared $AZ_BATCHAI_OUTPUT_o/kept; exec 2>&1"
    )
    outputs = [{"id": "o", "pathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/r"}]
    own = {toolkit: {"commandLine": command}, "outputDirectories": outputs}
    for run in (1, 2):
        spec = runs.spec(command, run, nodes=(run,), **own)
        if toolkit != "customToolkitSettings":
            del spec.wire["properties"]["customToolkitSettings"]
            spec.write()
        assert runs.run(run).state is ExecutionState.SUCCEEDED
    text = runs.log("stdout.txt")
    assert text.count("own") == text.count("shared\n") == 0
    assert text.count("kept") == 1
    assert Path(runs.paths.log_order).read_text().count("stdout.txt") == 2
