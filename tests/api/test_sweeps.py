"""Sweeps from Python and on the command line: members, the best one, waits and ends."""

import json
import sys
from types import SimpleNamespace

import pytest

import bai as api
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.sweep import Goal, MedianRule, Objective, Sweep, SweepId
from bai.runtime.errors import NotFoundError, WaitTimeoutError
from bai.sweeps import SweepMember, best_of

REPORT = 'echo "{\\"time\\": 1, \\"values\\": {\\"loss\\": $LOSS}}" >> $BAI_METRICS_FILE'


@pytest.fixture
def place(bai, monkeypatch):
    """A folder with bai, its session, and what puts a sweep there."""
    monkeypatch.chdir(bai.folder)
    bai.context()
    session = api.connect()

    def put(commands, name="train", experiment="test", **settings):
        """Put a sweep with a member for each key of its points, in wire form."""
        jobs = "".join(bai.custom(f"{name}-{key}", line) for key, line in commands.items())
        text = bai.write(jobs, scale=4).read_text().replace("name: test", f"name: {experiment}")
        ((*resources,),) = [each.resources for each in api.loads(text).compile()]
        for each in resources:
            if each.id.kind is not Kind.JOB:
                session.provider.put(each)
        of = next(each.id for each in resources if each.id.kind is Kind.EXPERIMENT)
        session.provider.put_sweep(Sweep(SweepId(of, name), **settings))
        for each in resources:
            if each.id.kind is Kind.JOB:
                point = json.dumps({"lr": each.id.name.rpartition("-")[2]})
                values = {"BAI_SWEEP": name, "BAI_SWEEP_MEMBER": point}
                variables = [{"name": key, "value": value} for key, value in values.items()]
                wire = each.to_wire()
                wire["properties"]["environmentVariables"] = variables
                session.provider.put(Resource(each.id, wire))

    return SimpleNamespace(bai=bai, session=session, put=put)


def losses(**values):
    return {key: f"LOSS={value}; {REPORT}" for key, value in values.items()}


def test_members_have_points_states_and_metrics_and_one_is_the_best(place, monkeypatch):
    place.put(losses(a=0.5, b=0.25, c=2), concurrency=2, objective=Objective("loss"))
    sweep = place.session.sweep("train").wait("60s")
    assert [(each.job.name, each.point, each.metric) for each in sweep.members] == [
        ("train-a", {"lr": "a"}, 0.5),
        ("train-b", {"lr": "b"}, 0.25),
        ("train-c", {"lr": "c"}, 2),
    ]
    assert sweep.best.job.name == "train-b"
    assert sweep.counts == {"succeeded": 3}
    assert repr(sweep) == "<Sweep train: 3 succeeded>"

    first = {"name": "train-a", "lr": "a", "state": "succeeded", "loss": 0.5}
    assert dict(sweep.table().iloc[0]) == first
    assert set(sweep.metrics_table().query("name == 'loss'").value) == {0.5, 0.25, 2}
    assert sweep.metric_labels()["train-b"] == "lr=b"
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match="`pip install pandas`, or use `members`"):
        sweep.table()

    described = place.bai.run("describe", "sweep", "train").stdout
    assert described == (
        "sweep/train: 3 succeeded\n"
        "  2 at once; minimizes loss\n"
        "\n"
        "NAME     lr  STATE      loss\n"
        "train-a  a   succeeded  0.5\n"
        "train-b  b   succeeded  0.25\n"
        "train-c  c   succeeded  2\n"
        "\n"
        "best: train-b (lr = b)\n"
    )
    assert place.bai.run("describe", "sweep/train").stdout == described
    assert place.bai.run("get", "sweeps").stdout == (
        "NAME   EXPERIMENT  JOBS  QUEUED  RUNNING  SUCCEEDED  FAILED  AT ONCE\n"
        "train  test        3     0       0        3          0       2\n"
    )
    assert place.bai.run("get", "sweeps", "-o", "name").stdout == "sweep/test/train\n"
    (shown,) = json.loads(place.bai.run("get", "sweeps", "-o", "json").stdout)
    assert shown["counts"] == {"succeeded": 3}
    assert shown["settings"]["objective"] == {"metric": "loss", "goal": "minimize"}


def test_commands_wait_for_a_sweep_and_say_if_it_failed(place):
    place.put({"a": "true", "b": "exit 3"})
    done = place.bai.run("wait", "train", code=1)
    assert done.stdout == "sweep/train: 1 succeeded, 1 failed\n"
    lines = place.bai.run("get", "jobs").stdout.splitlines()
    assert [line.split()[3] for line in lines] == ["SWEEP", "train", "train"]


def test_all_members_are_cancelled_at_once(place):
    place.put(dict.fromkeys("abc", "sleep 600"), concurrency=1)
    sweep = place.session.sweep("test/train")
    with pytest.raises(WaitTimeoutError, match="the sweep train still has 3 jobs after 0s"):
        sweep.wait(0)
    done = place.bai.run("cancel", "train")
    assert done.stdout == "sweep/train: 3 cancelled\n"
    # The place that became free was nobody's.
    assert [job.attempt.run for job in sweep.jobs] == [1, 0, 0]


def test_a_name_that_is_a_job_s_is_the_job_s(place):
    place.put({"a": "true"}, name="train")
    place.bai.run("apply", place.bai.write(place.bai.custom("train", "true")), "--yes")
    assert place.bai.run("wait", "train").stdout.startswith("job/train ")
    assert place.bai.run("wait", "sweep/train").stdout == "sweep/train: 1 succeeded\n"


def test_a_description_has_the_limits(place):
    rule = MedianRule(5)
    place.put({"a": "true"}, concurrency=1, stop_after_failures=3, early_stopping=rule)
    described = place.bai.run("describe", "sweep", "train").stdout
    limits = "1 at once; no more start after 3 failed"
    assert limits in described


def test_names_of_sweeps_that_are_wrong_or_not_clear(place):
    with pytest.raises(NotFoundError, match="there are no sweeps at all"):
        place.session.sweep("train")
    place.put({"a": "true"})
    with pytest.raises(NotFoundError, match=r"there is no sweep 'trian'.*did you mean train"):
        place.session.sweep("trian")
    place.put({"a": "true"}, experiment="other")
    places = "say which of other/train, test/train"
    with pytest.raises(NotFoundError, match=f"there are several sweeps 'train': {places}"):
        place.session.sweep("train")
    assert len(place.session.sweeps()) == 2


def test_the_best_is_the_oldest_with_the_best_number():
    def member(metric):
        return SweepMember(None, {}, "succeeded", metric)

    members = [member(each) for each in (None, float("nan"), 2.0, 1.0, 1.0, 3.0)]
    assert best_of(members, Objective("x")) is members[3]
    assert best_of(members, Objective("x", Goal.MAXIMIZE)) is members[5]
    assert best_of(members, None) is None
    assert best_of(members[:2], Objective("x")) is None
