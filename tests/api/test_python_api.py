"""The same power from Python: what a notebook does."""

import json

import pytest

import bai
from bai.runtime.provider.live import ExecutionState
from bai.specs.findings import FindingsError

SPEC = """
apiVersion: bai/v1
kind: Experiment
metadata: {name: notebook}
spec:
  clusters: {c: {vmSize: S, scale: 1}}
  jobs:
    count:
      nodeCount: 1
      mounts: {r: azureFile:r}
      outputs: {O: "${mounts.r}"}
      logs: ${mounts.r}
      custom: {command: COMMAND}
"""
REPORT = (
    'for n in 1 2 3; do echo "line $n"; '
    'echo "{\\"time\\": $n, \\"step\\": $n, \\"total\\": 3, \\"values\\": {\\"loss\\": 0.$n}}" '
    ">> $BAI_METRICS_FILE; done; echo oops >&2; echo x > $AZ_BATCHAI_OUTPUT_O/file"
)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AZURE_BATCHAI_STORAGE_ACCOUNT", raising=False)
    return tmp_path


def spec(command):
    return SPEC.replace("COMMAND", json.dumps(command))


def test_load_diff_apply_follow(here):
    (here / "e.yaml").write_text(spec(REPORT))
    experiment = bai.load("e.yaml")
    assert experiment.lint() == ()
    assert [r.id.name for r in experiment.compile()[0].resources][-1] == "count"
    plan = experiment.diff()
    assert [change.action.value for change in plan.pending] == ["create"] * 4
    result = experiment.apply(plan)
    job = result.jobs["count"]
    lines = list(job.logs(follow=True))
    assert [line.text for line in lines if line.stream == "stdout"] == [
        "line 1",
        "line 2",
        "line 3",
    ]
    assert [line.text for line in lines if line.stream == "stderr"] == ["oops"]
    assert [each.values for each in job.metrics(follow=True)] == [
        {"loss": 0.1},
        {"loss": 0.2},
        {"loss": 0.3},
    ]
    assert result.wait(60).jobs["count"].state is ExecutionState.SUCCEEDED
    assert job.final_metrics() == {"loss": 0.3}
    assert (job.outputs["O"] / "file").read_text() == "x\n"
    assert "succeeded" in repr(job)
    assert experiment.diff().pending == ()
    again = bai.connect().job("notebook/count")
    assert [event.message for event in again.events()][-1] == "succeeded"


def test_what_is_wrong_is_raised_with_all_findings(here):
    experiment = bai.loads(spec("true").replace("nodeCount: 1", "nodeCount: none"))
    with pytest.raises(FindingsError) as caught:
        experiment.apply()
    assert [finding.code for finding in caught.value.findings] == ["BAI203"]
    assert not (here / ".bai").exists()


def test_waiting_has_an_end(here):
    job = bai.loads(spec("sleep 600")).apply().jobs["count"]
    with pytest.raises(TimeoutError, match="the job count is"):
        job.wait(0)
    job.cancel()
    assert job.wait(60).errors[0].code == "JobTerminated"
    assert job.exit_code is None


def test_names_are_found_lazily():
    assert set(bai.__all__) <= set(dir(bai))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = bai.nothing
