"""Specs whose sweeps have become jobs."""

from __future__ import annotations

import pytest
from compiling import compile_spec
from hypothesis import given, settings
from hypothesis import strategies as st
from loading import load_text

from bai.compiler.compilation import Defaults
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.sweep import (
    Goal,
    MedianRule,
    Objective,
    SuccessiveHalving,
    point_of,
    sweep_of,
)
from bai.specs.findings import errors

CONTEXT = Defaults(resource_group="group", workspace="space", location="eastus")
SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {name: e}
spec:
  parameters: {lr: 0.1, batch: {type: integer}}
  clusters: {c: {vmSize: S, scale: 8}}
  jobs:
    train:
      nodeCount: 1
      mounts: {r: "azureFile:r"}
      logs: ${mounts.r}
      environment: {SEED: 0, BATCH: "${parameters.batch}"}
      custom: {command: "run --lr ${parameters.lr}"}
      sweep: SWEEP
"""


def compiled(sweep, text=SPEC):
    loaded = load_text(text.replace("SWEEP", sweep), "e.yaml", "/x")
    assert loaded.findings == ()
    compilation = compile_spec(loaded.specs[0], CONTEXT)
    assert errors(compilation.findings) == ()
    return compilation


def members(compilation):
    jobs = compilation.of_kind(Kind.JOB)
    return {job.id.name: job.to_wire()["properties"] for job in jobs}


def variables(properties):
    return {each["name"]: each["value"] for each in properties["environmentVariables"]}


def test_each_member_has_the_values_of_its_point():
    found = members(compiled("{grid: {lr: [0.1, 0.01], batch: [32, 64]}}")).values()
    lines = [(each["customToolkitSettings"]["commandLine"], variables(each)) for each in found]
    assert [(line, mine["BATCH"], mine["BAI_SWEEP"]) for line, mine in lines] == [
        ("run --lr 0.1", "32", "train"),
        ("run --lr 0.1", "64", "train"),
        ("run --lr 0.01", "32", "train"),
        ("run --lr 0.01", "64", "train"),
    ]
    assert lines[0][1]["BAI_SWEEP_MEMBER"] == '{"batch":32,"lr":0.1}'


def test_members_know_their_sweep_and_their_point():
    compilation = compiled("{list: [{batch: 1, environment.SEED: 7}]}")
    [sweep] = compilation.sweeps
    [job] = compilation.of_kind(Kind.JOB)
    assert sweep_of(job.id, job.wire) == sweep.id
    assert point_of(job.wire) == {"batch": 1, "environment.SEED": 7}
    assert variables(job.to_wire()["properties"])["SEED"] == "7"


def test_any_field_of_a_job_can_be_varied():
    found = members(compiled("{list: [{batch: 1, nodeCount: 2, priority: high, timeLimit: 1h}]}"))
    [properties] = found.values()
    assert properties["nodeCount"] == 2
    assert properties["schedulingPriority"] == "high"
    assert properties["constraints"] == {"maxWallClockTime": "PT1H"}


def test_the_settings_of_a_sweep_are_in_no_member():
    plain = compiled("{grid: {batch: [1]}}")
    limited = compiled(
        "{grid: {batch: [1]}, concurrency: 2, stopAfterFailures: 3, "
        "objective: {metric: loss, goal: minimize}, earlyStopping: {rule: median, after: 5}}"
    )
    assert members(plain) == members(limited)
    assert plain.sweeps[0].to_json() == {}
    [sweep] = limited.sweeps
    assert (sweep.concurrency, sweep.stop_after_failures) == (2, 3)
    assert sweep.objective == Objective("loss", Goal.MINIMIZE)
    assert sweep.early_stopping == MedianRule(5)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("{rule: median}", MedianRule()),
        ("{rule: successiveHalving}", SuccessiveHalving()),
        ("{rule: successiveHalving, factor: 2, first: 4}", SuccessiveHalving(2, 4)),
    ],
)
def test_the_rules_of_early_stopping(rule, expected):
    objective = "objective: {metric: accuracy, goal: maximize}"
    found = compiled(f"{{grid: {{batch: [1]}}, {objective}, earlyStopping: {rule}}}")
    assert found.sweeps[0].early_stopping == expected


def test_values_of_parameters_are_quoted_in_command_lines():
    text = SPEC.replace("lr: 0.1", "lr: a").replace("SWEEP", '{list: [{batch: 1, lr: "it\'s"}]}')
    [properties] = members(compiled("", text)).values()
    assert properties["customToolkitSettings"]["commandLine"] == """run --lr 'it'"'"'s'"""


def test_a_sweep_may_have_parameters_of_its_own():
    text = SPEC.replace("lr: 0.1", "lr: 0.1, n: 3")
    found = members(compiled("{grid: {batch: {from: 1, to: '${parameters.n}'}}}", text))
    assert len(found) == 3


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True),
    st.lists(st.sampled_from(["a", "b c", "d'e", '"', "$x"]), min_size=1, max_size=3, unique=True),
)
@settings(max_examples=30, deadline=None)
def test_a_grown_grid_keeps_its_members(batches, seeds):
    def grid(batches, seeds):
        listed = ", ".join("'{}'".format(each.replace("'", "''")) for each in seeds)
        return members(compiled(f"{{grid: {{batch: {batches}, environment.SEED: [{listed}]}}}}"))

    few, many = grid(batches[:1], seeds[:1]), grid(batches, seeds)
    assert few.items() <= many.items()
    assert len(many) == len(batches) * len(seeds)


@given(st.permutations(["batch", "lr", "environment.SEED"]))
@settings(max_examples=10, deadline=None)
def test_the_order_of_keys_never_matters(keys):
    values = {"batch": [1, 2], "lr": [0.1, 0.2], "environment.SEED": ["a"]}

    def grid(keys):
        return members(compiled(f"{{grid: {{{', '.join(f'{k}: {values[k]}' for k in keys)}}}}}"))

    assert grid(keys) == grid(sorted(keys))


@given(st.integers(1, 5), st.sampled_from(["0.5", "1e-3"]))
@settings(max_examples=10, deadline=None)
def test_a_sweep_of_one_point_equals_the_job_without_it(batch, lr):
    [member] = members(compiled(f"{{grid: {{batch: [{batch}], lr: [{lr}]}}}}")).values()
    fixed = SPEC.replace("lr: 0.1", f"lr: {lr}").replace("{type: integer}", str(batch))
    [job] = members(compiled("", fixed.replace("      sweep: SWEEP\n", ""))).values()
    kept = {"BAI_SWEEP", "BAI_SWEEP_MEMBER"}
    member["environmentVariables"] = [
        each for each in member["environmentVariables"] if each["name"] not in kept
    ]
    assert member == job


def test_findings_about_members_stand_once_where_the_sweep_is_written():
    sweep = "{grid: {batch: [1, 2], nodeCount: [1, 9], environment.SEED: [1, 2, 3]}}"
    text = SPEC.replace("SWEEP", sweep)
    loaded = load_text(text, "e.yaml", "/x")
    found = compile_spec(loaded.specs[0], CONTEXT).findings
    [finding] = errors(found)
    assert finding.code == "BAI801"
    assert text.splitlines()[finding.span.line - 1][finding.span.column - 1 :].startswith("9]")
