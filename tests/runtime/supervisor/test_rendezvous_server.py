"""The process of Horovod's rendezvous server, with a Horovod that only says what it imports."""

import sys
from contextlib import suppress
from pathlib import Path

import pytest

from bai.runtime.errors import LaunchError
from bai.runtime.jobs.logs import Logs
from bai.runtime.node import here
from bai.runtime.node.here import Here
from bai.runtime.node.streams import Streams
from bai.runtime.supervisor.crew import Crew
from bai.runtime.supervisor.rendezvous_server import RendezvousServer


@pytest.fixture
def serve(tmp_path):
    """Return a function that starts a server, and waits until it serves or ends."""
    streams = Streams()
    crew = Crew([Here(streams, {})], streams, Logs(tmp_path / "order"))

    def start(environment, log):
        server = RendezvousServer(crew, sys.executable, {"node-0": 1}, environment, log)
        while server.ranks() is None:
            streams.step(60)

    yield start
    crew.end()
    streams.close()


@pytest.mark.parametrize("module", ["machine", "link", "processes"])
def test_modules_of_bai_do_not_hide_those_of_horovod(serve, tmp_path, module):
    assert Path(here.__file__).with_name(f"{module}.py").exists()
    packages = tmp_path / "packages"
    (packages / "horovod").mkdir(parents=True)
    found = packages / f"{module}.py"
    found.write_text("")
    (packages / "horovod/__init__.py").write_text(
        f"import {module}\nraise SystemExit('imported ' + {module}.__file__)\n"
    )
    with pytest.raises(LaunchError, match=f"imported {found}"):
        serve({"PYTHONPATH": str(packages)}, tmp_path / "log")


def test_modules_beside_the_spec_do_not_hide_those_of_horovod(serve, tmp_path, monkeypatch):
    (tmp_path / "horovod").mkdir()
    (tmp_path / "horovod/__init__.py").write_text("raise SystemExit('imported from the folder')")
    (tmp_path / "attempt").mkdir()
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "attempt/log"
    with suppress(LaunchError):  # where Horovod is not installed
        serve({"PYTHONPATH": "."}, log)
    assert "from the folder" not in log.read_text()
