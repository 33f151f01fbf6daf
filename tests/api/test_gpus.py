"""`processesPerNode: gpu`: a process for each GPU of the nodes that a job gets."""

import subprocess
import sys
from pathlib import Path

import pytest

import bai
from bai.runtime.engines.local import engine
from bai.specs.findings import FindingsError

SPEC = """
apiVersion: bai/v1
kind: Experiment
metadata: {name: gpus}
spec:
  clusters: {c: {SIZE, scale: 2}}
  jobs:
    count:
      nodeCount: 2
      mounts: {r: azureFile:r}
      logs: ${mounts.r}
      TOOLKIT
"""
HOROVOD = "horovod: {script: /a.py, processesPerNode: gpu}"
TENSORFLOW = "tensorFlow: {script: /a.py, workersPerNode: gpu}"
FOUR = "vmSize: STANDARD_NC24"


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def load(gpus, size=FOUR, toolkit=HOROVOD):
        monkeypatch.setattr(engine, "gpu_count", lambda: gpus)
        text = SPEC.replace("SIZE", size).replace("TOOLKIT", toolkit)
        (tmp_path / "e.yaml").write_text(text)
        (tmp_path / "bai.toml").write_text("[contexts.here.engine]\nslots = 64\n")
        return bai.load("e.yaml")

    return load


def count(compilations):
    [job] = [r for each in compilations for r in each.resources if r.id.kind == "jobs"]
    settings = job.wire["properties"].get("horovodSettings")
    if settings is None:
        return job.wire["properties"]["tensorFlowSettings"].get("workerCount")
    return settings.get("processCount")


def planned(experiment, limits=None):
    resources = [change.resource for change in experiment.diff(limits=limits).changes]
    [job] = [each for each in resources if each.id.kind == "jobs"]
    return next(
        value
        for settings in job.wire["properties"].values()
        if isinstance(settings, dict)
        for key, value in settings.items()
        if key in ("processCount", "workerCount")
    )


@pytest.mark.parametrize("toolkit", [HOROVOD, TENSORFLOW])
@pytest.mark.parametrize("size", [FOUR, "vmSize: MINE"])
def test_on_this_machine_its_own_gpus_count(experiment, toolkit, size):
    assert planned(experiment(3, size, toolkit)) == 6


def test_what_is_compiled_has_those_of_the_size(experiment):
    assert count(experiment(3).compile()) == 8
    assert count(experiment(3, "vmSize: MINE").compile()) is None


@pytest.mark.parametrize("toolkit", [HOROVOD, TENSORFLOW])
def test_without_a_gpu_the_plan_says_what_to_write(experiment, toolkit):
    with pytest.raises(FindingsError) as raised:
        experiment(0, FOUR, toolkit).diff()
    [finding] = raised.value.findings
    assert finding.code == "BAI809"
    assert (finding.span.line, finding.hint.partition(": 2")[0].split()[-1]) == (
        12,
        "processesPerNode" if toolkit is HOROVOD else "workersPerNode",
    )
    assert "--max-processes" in finding.hint


@pytest.mark.parametrize(("size", "expected"), [(FOUR, 2), ("vmSize: MINE", 2)])
def test_a_cap_runs_it_without_a_gpu(experiment, size, expected):
    assert planned(experiment(0, size), bai.Limits(max_processes=2)) == expected


def test_a_cap_keeps_to_the_gpus(experiment):
    assert planned(experiment(1), bai.Limits(max_processes=64)) == 2
    assert planned(experiment(4), bai.Limits(max_processes=3)) == 3


def test_for_azure_the_size_must_be_known(experiment):
    loaded = experiment(3, "vmSize: MINE")
    codes = [finding.code for finding in loaded.check_for_azure(loaded.compile())]
    assert "BAI809" in codes
    loaded = experiment(0)
    assert "BAI809" not in [f.code for f in loaded.check_for_azure(loaded.compile())]


def test_compile_prints_nothing_where_the_number_is_not_known(experiment):
    experiment(3, "vmSize: MINE")
    command = [Path(sys.executable).with_name("bai"), "compile", "e.yaml"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (2, "")
    assert "BAI809" in said.stderr
