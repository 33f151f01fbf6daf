"""Parameters in Python."""

import json

import pytest

import bai

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: p}
spec:
  parameters: {lr: 0.1, nodes: {type: integer, min: 1, max: 4}}
  jobs:
    train:
      nodeCount: ${parameters.nodes}
      custom: {command: "train --lr ${parameters.lr}"}
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BAI_CONTEXT", raising=False)
    return tmp_path


def job_of(experiment):
    [compilation] = experiment.check().compile()
    properties = compilation.resources[-1].wire["properties"]
    return properties["nodeCount"], properties["customToolkitSettings"]["commandLine"]


def test_values_for_a_text():
    assert job_of(bai.loads(SPEC, parameters={"nodes": 2})) == (2, "train --lr 0.1")
    assert job_of(bai.loads(SPEC, parameters={"nodes": 3, "lr": 1e-3})) == (3, "train --lr 0.001")


def test_values_for_several_files(here):
    (here / "a.yaml").write_text(SPEC)
    other = SPEC.replace("name: p", "name: q").replace("lr: 0.1", "rate: 1")
    (here / "b.yaml").write_text(other.replace("parameters.lr", "parameters.rate"))
    experiment = bai.load("a.yaml", "b.yaml", parameters={"nodes": 2, "rate": 3})
    wires = [each.resources[-1].wire for each in experiment.check().compile()]
    assert "train --lr 0.1" in json.dumps(wires[0])
    assert "train --lr 3" in json.dumps(wires[1])


def test_an_experiment_with_other_values_is_another_one():
    first = bai.loads(SPEC, parameters={"nodes": 2})
    second = first.with_parameters(lr=0.01)
    third = second.with_parameters(nodes=4, lr=1)
    assert [job_of(each) for each in (first, second, third)] == [
        (2, "train --lr 0.1"),
        (2, "train --lr 0.01"),
        (4, "train --lr 1"),
    ]
    assert second.context is first.context


def test_a_missing_value_is_an_error_except_for_lint():
    experiment = bai.loads(SPEC)
    assert [finding.code for finding in experiment.findings] == ["BAI419"]
    with pytest.raises(bai.FindingsError, match="the parameter nodes has no value"):
        experiment.diff()
    assert experiment.lint() == ()


def test_lint_knows_the_values_that_there_are():
    wrong = bai.loads(SPEC, parameters={"nodes": 9})
    assert [finding.code for finding in wrong.lint()] == ["BAI326"]


def test_a_value_for_no_parameter_is_an_error():
    experiment = bai.loads(SPEC, parameters={"nodes": 2, "node": 3})
    [found] = experiment.findings
    assert (found.code, found.hint, found.span) == ("BAI420", "did you mean nodes?", None)
    # What can't be read may declare it.
    assert "BAI420" not in str(bai.loads(SPEC + "    {", parameters={"x": 1}).findings)


def test_a_value_that_is_no_scalar_is_refused_at_once():
    with pytest.raises(TypeError, match="parameter lr must be a str, int, float or bool, not list"):
        bai.loads(SPEC, parameters={"lr": [0.1, 0.2]})
    with pytest.raises(TypeError, match="parameter lr must be"):
        bai.loads(SPEC).with_parameters(lr=None)
