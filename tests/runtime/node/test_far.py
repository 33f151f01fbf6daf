"""Machines behind an agent: what runs there, and what is left when either side is lost."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bai.runtime.errors import LaunchError, NodeLostError
from bai.runtime.mounts.driver import Mount
from bai.runtime.node import link
from bai.runtime.node.far import Far
from bai.runtime.node.machine import Process
from bai.runtime.node.own_python import own_python
from bai.runtime.node.spawned import Host, SpawnedAgents
from bai.runtime.node.streams import Streams

AGENT = own_python("bai.runtime.node.agent")


def never():
    """Go on."""


class Heard:
    """All that is heard of a process."""

    def __init__(self):
        self.text = {"stdout": b"", "stderr": b""}
        self.symptoms, self.halts, self.measures, self.code = [], [], [], None

    def output(self, stream, data):
        self.text[stream] += data

    def symptom(self, rank):
        self.symptoms.append(rank)

    def halted(self, *, halted):
        self.halts.append(halted)

    def measured(self, time, values):
        self.measures.append((time, values))

    def exited(self, code):
        self.code = code


class Gang:
    """One agent, and what it runs."""

    def __init__(self, folder, lease=10.0, command=AGENT):
        self.folder, self.streams, self.numbers = folder, Streams(), iter(range(100))
        self.agents = SpawnedAgents(
            [Host("node-x", command, "127.0.0.1")], folder / "agents.log", lease
        )

    def join(self):
        (self.machine,) = self.agents.join(self.streams, 1, never)
        return self

    def until(self, true, what):
        deadline = time.monotonic() + 60
        while not true():
            assert time.monotonic() < deadline, what
            self.streams.step(0.1)

    def ask(self, answer):
        self.until(lambda: answer.done, "an answer")
        return answer.result()

    def start(self, script, **keys):
        heard = Heard()
        environment = {"PATH": os.environ["PATH"]} | keys.pop("environment", {})
        process = Process(["bash", "-c", script], environment, str(self.folder), **keys)
        self.ask(self.machine.start(next(self.numbers), process, heard))
        return heard

    @property
    def guardian(self):
        return self.agents._agents[0][0].pid

    @property
    def agent(self):
        (child,) = Path(f"/proc/{self.guardian}/task/{self.guardian}/children").read_text().split()
        return int(child)


@pytest.fixture
def gang(tmp_path):
    made = []

    def make(**keys):
        made.append(Gang(tmp_path, **keys))
        return made[-1]

    yield make
    for each in made:
        each.agents.close()
        each.streams.close()


def pid_in(gang, name):
    path = gang.folder / name
    gang.until(lambda: path.exists() and path.read_text().endswith("\n"), name)
    return int(path.read_text())


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone(pid):
    deadline = time.monotonic() + 60
    while is_alive(pid):
        assert time.monotonic() < deadline, "it lives on"
        os.sched_yield()


DETACHED = "setsid bash -c 'echo $$ > detached; exec sleep 600' & echo $$ > rank; sleep 600"


def test_what_a_process_says_and_how_it_ends(gang):
    far = gang().join()
    heard = far.start(
        "echo one; echo $SECRET; echo Broken pipe >&2; exit 3",
        label="7",
        environment={"SECRET": "s3cr3t"},
    )
    far.until(lambda: heard.code is not None, "the end")
    assert heard.code == 3
    assert heard.text["stdout"] == b"[7]<stdout>: one\n[7]<stdout>: s3cr3t\n"
    assert heard.text["stderr"] == b"[7]<stderr>: Broken pipe\n"
    assert heard.symptoms == [None]


def test_much_output_comes_whole_and_in_order(gang):
    far = gang().join()
    heard = far.start("seq 1 400000; seq 1 1000 >&2")
    far.until(lambda: heard.code is not None, "the end")
    assert heard.text["stdout"] == b"".join(b"%d\n" % n for n in range(1, 400001))
    assert heard.text["stderr"].count(b"\n") == 1000


def test_what_a_machine_is_asked(gang, tmp_path):
    far = gang().join()
    assert far.machine.facts.host == "node-x"
    assert far.machine.facts.interface == "lo"
    assert far.machine.facts.cpus == len(os.sched_getaffinity(0))
    assert len(set(far.ask(far.machine.ports(3)))) == 3
    assert far.ask(far.machine.find("bash", "/", "/usr/bin:/bin")).endswith("/bash")
    with pytest.raises(LaunchError, match="no program 'nonsense' in PATH"):
        far.ask(far.machine.find("nonsense", "/", "/bin"))
    mount = Mount("m", str(tmp_path / "root/m"), str(tmp_path / "source"), made=True)
    folder = str(tmp_path / "a/b")
    far.ask(far.machine.prepare([mount], [folder], []))
    (tmp_path / "a/b/old").touch()
    far.ask(far.machine.prepare([mount], [folder], [folder]))
    assert list((tmp_path / "a/b").iterdir()) == []
    assert (tmp_path / "root/m").resolve() == tmp_path / "source"
    far.ask(far.machine.unmount([mount]))
    assert not (tmp_path / "root/m").exists()
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="exists"):
        far.ask(far.machine.prepare([], [str(tmp_path / "file")], []))


def test_everything_is_ended_but_what_is_spared(gang):
    far = gang().join()
    spared = far.start("echo $$ > spared; exec sleep 600")
    heard = far.start(DETACHED)
    pids = [pid_in(far, name) for name in ("rank", "detached")]
    assert far.ask(far.machine.end(spare=[0])) == []
    for pid in pids:
        gone(pid)
    far.until(lambda: heard.code is not None, "the end")
    assert spared.code is None
    assert is_alive(pid_in(far, "spared"))


@pytest.mark.parametrize("victim", ["agent", "guardian"])
def test_a_killed_agent_is_named_and_leaves_nothing(gang, victim):
    far = gang().join()
    far.start(DETACHED)
    pids = [pid_in(far, name) for name in ("rank", "detached")]
    if victim == "guardian":
        pids = pids[:1]
    os.kill(getattr(far, victim), signal.SIGKILL)
    far.until(lambda: far.machine.lost, "the loss")
    with pytest.raises(NodeLostError, match="node node-x is lost"):
        far.ask(far.machine.ports(1))
    for pid in pids:
        gone(pid)
    if victim == "guardian":
        os.kill(pid_in(far, "detached"), signal.SIGKILL)


def test_a_stopped_agent_is_lost_after_its_lease_and_ended(gang):
    far = gang(lease=1.0).join()
    far.start(DETACHED)
    pids = [pid_in(far, name) for name in ("rank", "detached")]
    agent = far.agent
    os.kill(agent, signal.SIGSTOP)
    far.until(lambda: far.machine.lost, "the loss")
    assert far.machine.lost.startswith("it gave no sign of life for")
    far.agents.close()
    for pid in (agent, *pids):
        gone(pid)


SUPERVISE = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_far import DETACHED, Gang
far = Gang(Path(sys.argv[1]), lease=1.0).join()
far.start(DETACHED)
while True:
    far.streams.step(0.1)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=lambda s: s.name)
def test_an_agent_that_loses_its_supervisor_leaves_nothing(gang, tmp_path, number):
    argv = [sys.executable, "-c", SUPERVISE, str(tmp_path), str(Path(__file__).parent)]
    with subprocess.Popen(argv) as supervisor:
        far = gang()
        pids = [pid_in(far, name) for name in ("rank", "detached")]
        supervisor.send_signal(number)
        for pid in pids:
            gone(pid)
        supervisor.kill()


def test_a_process_that_a_signal_stops_is_told(gang):
    far = gang().join()
    heard = far.start("echo $$ > rank; exec sleep 600")
    pid = pid_in(far, "rank")
    os.kill(pid, signal.SIGSTOP)
    far.until(lambda: heard.halts == [True], "the halt")
    os.kill(pid, signal.SIGCONT)
    far.until(lambda: heard.halts == [True, False], "the end of it")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'bai link 99'; sleep 600", "version 99 of the link, and this one 2: install"),
        ("echo 'permission denied' >&2", r"the link was closed .*\(permission denied\)"),
        ("echo 'Welcome!'", r"the link was closed .*\(Welcome!\)"),
        ("printf 'bai link 2\\nxxxxxxxxxxxxx'; sleep 600", "is damaged"),
    ],
)
def test_what_does_not_join_is_told_with_its_reason(gang, script, reason):
    with pytest.raises(LaunchError, match=f"the agent of node node-x does not join: .*{reason}"):
        gang(command=["bash", "-c", script]).join()


def test_a_login_that_greets_is_no_obstacle(gang):
    far = gang(command=["bash", "-c", 'echo "Last login: today"; exec "$@"', "-", *AGENT]).join()
    assert far.machine.joined


def test_an_agent_imports_nothing_heavy():
    code = "import sys, bai.runtime.node.agent; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"pydantic", "sqlite3", "typer", "bai.runtime.provider", "asyncio", "urllib.request"}
    assert not heavy & set(done.stdout.split())
    assert link.VERSION == 2
    assert Far.__module__ not in done.stdout.split()


def test_what_scripts_report_on_a_far_machine_comes_with_the_end(gang):
    far = gang().join()
    lines = []
    far.machine.hear_reports(lines.append)
    reports = far.machine.facts.reports
    assert not Path(reports).is_relative_to(far.folder)
    heard = far.start(f"echo one >> {reports}; echo two >> {reports}; printf half >> {reports}")
    far.until(lambda: heard.code is not None, "the end")
    far.ask(far.machine.end())
    assert b"".join(lines) == b"one\ntwo\n"
    guardian = far.guardian
    far.agents.close()
    gone(guardian)
    assert not Path(reports).parent.exists()


def test_what_a_rank_of_a_far_machine_uses_is_measured_there(gang):
    far = gang().join()
    heard = far.start("while true; do :; done", rank=3)
    far.until(lambda: heard.measures, "a measure")
    (when, values), *_ = heard.measures
    assert abs(when - time.time()) < 600
    assert values["bai/cpu_cores"] > 0
    assert values["bai/memory_bytes"] > 500_000
    unmeasured = far.start("sleep 600")
    count = len(heard.measures)
    far.until(lambda: len(heard.measures) > count, "another one")
    assert unmeasured.measures == []
