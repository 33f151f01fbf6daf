"""Jobs in the words of specs, for people to read."""

import pytest
from compiling import compile_spec
from loading import load_text

from bai.compiler.compilation import Defaults
from bai.compiler.importer.spec_form import spec_form
from bai.compiler.resources.ids import Kind

CONTEXT = Defaults(resource_group="g", workspace="w", location="eastus")
SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {name: e}
spec:
  clusters: {c: {vmSize: S, scale: 8}}
  jobs:
    train:
"""
LOGS = {"mounts": {"logs": "azureFile:logs"}, "logs": "${mounts.logs}"}
ALWAYS = {"cluster": "c", "nodeCount": 1, **LOGS}


def forms(*lines):
    text = SPEC + "".join(f"      {line}\n" for line in lines)
    compilation = compile_spec(load_text(text, "e.yaml", "/x").specs[0], CONTEXT)
    return [spec_form(job.id, job.to_wire()) for job in compilation.of_kind(Kind.JOB)]


def test_members_of_a_sweep_have_their_point():
    command, space = "custom: {command: run}", "{environment.SEED: [1], environment.WORD: [a b]}"
    [form] = forms(command, f"sweep: {{grid: {space}}}")
    assert form == {
        "sweep": "train (member environment.SEED=1, environment.WORD=a b)",
        **ALWAYS,
        "environment": {"SEED": "1", "WORD": "a b"},
        "custom": {"command": "run"},
    }


@pytest.mark.parametrize("environment", [{}, {"A": "1"}])
def test_code_is_its_snapshot_and_paths_start_there(environment):
    [form] = forms("code: .", f"environment: {environment}", "horovod: {script: src/t.py}")
    rest = {"environment": environment} if environment else {}
    assert form == {"code": "SNAPSHOT", **ALWAYS, **rest, "horovod": {"script": "src/t.py"}}


def test_what_only_looks_like_code_stays():
    mount = "mounts: {code: {azureFile: {share: code, fileMode: '0700'}}}"
    variable = "environment: {BAI_CODE: '${mounts.code}/x'}"
    [form] = forms(mount, variable, "custom: {command: run}")
    assert "code" not in form
    assert form["environment"] == {"BAI_CODE": "${mounts.code}/x"}
    [form] = forms("environment: {BAI_SWEEP: train}", "custom: {command: run}")
    assert form["environment"] == {"BAI_SWEEP": "train"}


@pytest.mark.parametrize("environment", [{}, {"A": "1"}])
def test_a_timeline_is_a_key_of_the_toolkit(environment):
    rest = {"environment": environment} if environment else {}
    [form] = forms(f"environment: {environment}", "horovod: {script: /t.py, timeline: true}")
    assert form == {**ALWAYS, **rest, "horovod": {"script": "/t.py", "timeline": True}}


def test_what_only_looks_like_a_timeline_stays():
    file = "environment: {HOROVOD_TIMELINE: '${outputs.TIMELINE}/other.json'}"
    output = "outputs: {TIMELINE: {path: '${mounts.r}', suffix: timeline}}"
    [form] = forms("mounts: {r: azureFile:r}", output, file, "horovod: {script: /t.py}")
    assert form["horovod"] == {"script": "/t.py"}
    assert "TIMELINE" in form["outputs"]
    assert "HOROVOD_TIMELINE" in form["environment"]
