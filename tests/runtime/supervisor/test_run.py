"""Runs of an attempt that only a folder knows: no database, one run after another."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from watching import until

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
from bai.runtime.node.here import LocalAgents
from bai.runtime.node.own_python import own_python
from bai.runtime.node.spawned import Host, SpawnedAgents
from bai.runtime.supervisor.run import run_attempt
folder, run, far = sys.argv[1:]
spec = read_run_spec(Path(folder), int(run))
journal = FileJournal(Path(spec.folder), spec.run)
command = own_python("bai.runtime.node.agent")
hosts = [Host(f"host-{n}", command, f"127.0.0.{n}") for n in spec.nodes]
submitted = read_submitted(Path(spec.folder))
agents = (
    SpawnedAgents(hosts, Path(spec.folder, "agents.log"))
    if far == "far"
    else LocalAgents(submitted.environment)
)
journal.end(run_attempt(spec, submitted, journal, agents))
agents.close()
"""


class Runs:
    """The runs of one attempt."""

    def __init__(self, folder, nodes):
        self.nodes = nodes
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
        argv = [sys.executable, "-c", SUPERVISE, str(self.folder), str(run), self.nodes]
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


@pytest.fixture(params=["here", "far"])
def runs(request, tmp_path):
    """Runs on nodes that are folders of this machine, or that agents of their own serve."""
    return Runs(tmp_path, request.param)


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


PYTORCH = {"pyTorchSettings": {"pythonScriptFilePath": "rank.py", "processCount": 2}}
SHOW = """
import os, sys
from pathlib import Path
own = ("RANK", "MASTER_ADDR", "AZ_BATCH_HOST_LIST", "HOME", "OWN")
print(*(os.environ.get(name) for name in own), flush=True)
print(Path(os.environ["AZ_BATCHAI_MPI_HOST_FILE"]).read_text(), end="", file=sys.stderr)
"""


def write_script(runs, text):
    script = runs.shared / "rank.py"
    script.write_text(text)
    return {"pyTorchSettings": PYTORCH["pyTorchSettings"] | {"pythonScriptFilePath": str(script)}}


def start_ranks(runs, text, **more):
    spec = runs.spec(":", **write_script(runs, text), **more)
    del spec.wire["properties"]["customToolkitSettings"]
    spec.write()


def test_ranks_know_their_nodes_and_have_the_environment_of_their_machine(runs):
    variables = [{"name": "OWN", "value": "$HOME/own"}]
    start_ranks(runs, SHOW, environmentVariables=variables)
    assert runs.run().errors == ()
    home = os.environ["HOME"]
    first, second = ("127.0.0.4", "127.0.0.2") if runs.nodes == "far" else ("127.0.0.1",) * 2
    for rank in range(2):
        said = f"{rank} {first} {first},{second} {home} {home}/own\n"
        assert runs.log(f"stdout-{rank}.txt") == said
    far = "127.0.0.4 slots=1 # node-0\n127.0.0.2 slots=1 # node-1\n"
    hosts = far if runs.nodes == "far" else "127.0.0.1 slots=2 # node-0 node-1\n"
    assert runs.log("stderr-0.txt") == hosts


def test_the_rank_that_fails_ends_the_others_on_their_nodes(runs):
    fifo = runs.shared / "fifo"
    os.mkfifo(fifo)
    start_ranks(
        runs,
        "import os, sys, time\n"
        f"if os.environ['RANK'] == '0':\n    open({str(fifo)!r}, 'w'); time.sleep(600)\n"
        f"open({str(fifo)!r}).read(); print('bye', file=sys.stderr); sys.exit(7)\n",
    )
    end = runs.run()
    assert (end.exit_code, end.errors[0].details) == (7, {"failedFirst": "rank 1"})
    assert runs.log("stderr-1.txt") == "bye\n"


def test_a_preparation_runs_on_every_node_and_its_failure_is_named(runs):
    command = "echo $PWD; [[ $PWD != */nodes/1/* ]] || exit 4"
    runs.spec("echo never", jobPreparation={"commandLine": command})
    end = runs.run()
    assert (end.errors[0].code, end.errors[0].details) == (
        "JobPreparationFailed",
        {"node": "node-1"},
    )
    assert runs.log("stdout-job_prep-node-0.txt") == f"{runs.paths.temp(0)}\n"
    assert not (runs.paths.stdouterr / "stdout.txt").exists()


@pytest.mark.parametrize("runs", ["far"], indirect=True)
def test_a_lost_node_ends_the_job_and_is_named(runs):
    fifo = runs.shared / "fifo"
    os.mkfifo(fifo)
    start_ranks(
        runs,
        "import os, time\n"
        f"open({str(fifo)!r}, 'w').write(os.environ['RANK'] + str(os.getppid()) + '\\n')\n"
        "time.sleep(600)\n",
    )
    process = runs.start()
    lines = ""
    while lines.count("\n") < 2:
        lines += fifo.read_text()
    (agent,) = [int(line[1:]) for line in lines.split() if line[0] == "1"]
    os.kill(agent, signal.SIGKILL)
    assert process.wait(60) == 0
    (error,) = runs.end().errors
    assert (error.code, error.details) == ("JobNodeLost", {"node": "host-2"})
    assert error.message == "Node host-2 of the job was lost: the link was closed at the other end"


def test_a_process_that_a_signal_stops_is_reported(runs):
    fifo = runs.shared / "fifo"
    os.mkfifo(fifo)
    runs.spec(f"echo $$ > {fifo}; sleep 600; :")
    process = runs.start()
    pid = int(fifo.read_text())

    def noted(message):
        return any((r.kind, r.message) == ("note", message) for r in runs.records())

    os.kill(pid, signal.SIGSTOP)
    until(lambda: noted("a signal has stopped rank 0: the job waits 10 minutes for it"), "the note")
    os.kill(pid, signal.SIGCONT)
    until(lambda: noted("rank 0 goes on"), "the other note")
    ask_to_stop(runs.folder, 1, StopReason.CANCEL)
    assert process.wait(60) == 0
