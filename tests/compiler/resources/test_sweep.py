"""The settings of sweeps, and what jobs say of theirs."""

import json

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.sweep import (
    Goal,
    MedianRule,
    Objective,
    SuccessiveHalving,
    Sweep,
    SweepId,
    point_of,
    sweep_of,
)

EXPERIMENT = ResourceId("s", "g", "w", Kind.EXPERIMENT, "e")
JOB = EXPERIMENT.sibling(Kind.JOB, "train-1a2b3c4d", "e")
ID = SweepId(EXPERIMENT, "train")


@pytest.mark.parametrize(
    "sweep",
    [
        Sweep(ID),
        Sweep(ID, 2, 3, Objective("accuracy", Goal.MAXIMIZE), MedianRule(5)),
        Sweep(ID, 1, None, Objective("loss"), SuccessiveHalving(4, 2)),
    ],
)
def test_settings_are_the_same_after_json(sweep):
    assert Sweep.from_json(ID, json.loads(json.dumps(sweep.to_json()))) == sweep


def test_settings_have_the_keys_of_a_spec():
    sweep = Sweep(ID, 2, 3, Objective("loss"), MedianRule(5))
    assert sweep.to_json() == {
        "concurrency": 2,
        "stopAfterFailures": 3,
        "objective": {"metric": "loss", "goal": "minimize"},
        "earlyStopping": {"rule": "median", "after": 5},
    }
    assert Sweep(ID).to_json() == {}


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="no rule of early stopping"):
        Sweep.from_json(ID, {"earlyStopping": {"rule": "guess"}})


def test_an_id_is_the_same_after_text():
    assert str(ID) == f"{EXPERIMENT}/sweeps/train"
    assert SweepId.parse(str(ID)) == ID
    with pytest.raises(ValueError, match="not the id of a sweep"):
        SweepId.parse(str(EXPERIMENT))


def test_a_job_says_its_sweep_and_its_point():
    variables = [
        {"name": "BAI_SWEEP", "value": "train"},
        {"name": "BAI_SWEEP_MEMBER", "value": '{"lr":0.1}'},
    ]
    member = {"properties": {"environmentVariables": variables}}
    assert sweep_of(JOB, member) == ID
    assert point_of(member) == {"lr": 0.1}
    assert sweep_of(JOB, {"properties": {}}) is None
    assert point_of({"properties": {}}) == {}


@pytest.mark.parametrize("text", ["", "{", "[1]"])
def test_a_point_that_is_none_is_empty(text):
    variables = [{"name": "BAI_SWEEP_MEMBER", "value": text}]
    assert point_of({"properties": {"environmentVariables": variables}}) == {}
