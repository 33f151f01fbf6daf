"""The process of Horovod's rendezvous server, with a Horovod that only says what it imports."""

import sys
from contextlib import suppress

import pytest

from bai.runtime.errors import LaunchError
from bai.runtime.supervisor.rendezvous_server import RendezvousServer


@pytest.mark.parametrize("module", ["launcher", "run", "main"])
def test_modules_of_bai_do_not_hide_those_of_horovod(tmp_path, module):
    packages = tmp_path / "packages"
    (packages / "horovod").mkdir(parents=True)
    found = packages / f"{module}.py"
    found.write_text("")
    (packages / "horovod/__init__.py").write_text(
        f"import {module}\nraise SystemExit('imported ' + {module}.__file__)\n"
    )
    environment = {"PYTHONPATH": str(packages)}
    server = RendezvousServer(sys.executable, {"node-0": 1}, environment, tmp_path / "log")
    with pytest.raises(LaunchError, match=f"imported {found}"):
        server.poll(60)
    server.close()


def test_modules_beside_the_spec_do_not_hide_those_of_horovod(tmp_path, monkeypatch):
    (tmp_path / "horovod").mkdir()
    (tmp_path / "horovod/__init__.py").write_text("raise SystemExit('imported from the folder')")
    (tmp_path / "attempt").mkdir()
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "attempt/log"
    server = RendezvousServer(sys.executable, {"node-0": 1}, {"PYTHONPATH": "."}, log)
    with suppress(LaunchError):  # where Horovod is not installed
        server.poll(60)
    server.close()
    assert "from the folder" not in log.read_text()
