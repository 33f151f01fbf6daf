"""Short references in wrong forms, and braces that are no references."""

import pytest

from bai.linter.driver.fixing import fixed
from bai.linter.driver.linter import Linter
from bai.specs.reference_groups import TO_VARIABLES

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: t, resourceGroup: g, workspace: w, location: eastus}}
spec:
  clusters: {{c: {{vmSize: STANDARD_D2_V2, scale: 1}}}}
  jobs:
    j:
      nodeCount: 1
      mounts: {{code: "azureFile:code", results: "azureFile:results"}}
      inputs: {{DATA: "${{mounts.code}}/data"}}
      logs: ${{mounts.results}}
      environment: {{DEBUG: "1"}}
      custom:
        command: |
          ls ${{inputs.DATA}} {}
"""


OTHERS = {"BAI414", "BAI720"}
"""Codes of what is not looked at here: unused inputs, and what ShellCheck says."""

JOB = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: t, resourceGroup: g, workspace: w, location: eastus}
spec:
  clusters: {c: {vmSize: STANDARD_D2_V2, scale: 1}}
  jobs:
    j:
      nodeCount: 1
      mounts: {code: "azureFile:code", results: "azureFile:results"}
      inputs: {DATA: "${mounts.code}/data"}
      logs: ${mounts.results}
"""


def found_in_job(line):
    toolkit = "" if line.startswith("pyTorch:") else "      custom: {command: hostname}\n"
    spec = f"{JOB}{toolkit}      {line}\n"
    findings = Linter().content(spec.encode(), "spec.yaml").findings
    return [each for each in findings if each.code not in OTHERS]


def found(text):
    return Linter().content(SPEC.format(text).encode(), "spec.yaml").findings


@pytest.mark.parametrize(
    ("written", "problem", "meant"),
    [
        ("${mounts.results", "is not closed", "${mounts.results}"),
        ("${mounts.results/a", "is not closed", "${mounts.results}/a"),
        ("${ inputs.DATA }", "has blanks in its braces", "${inputs.DATA}"),
        ("${inputs.DATA }", "has blanks in its braces", "${inputs.DATA}"),
        ("${{ inputs.DATA }}", "has two braces", "${inputs.DATA}"),
        ("$${mounts.code}", "has a $ too many", "${mounts.code}"),
        ("${mounts[code]}", "has no dot", "${mounts.code}"),
        ("${inputs['DATA']}", "has no dot", "${inputs.DATA}"),
    ],
)
def test_an_error_is_reported_and_fixed(tmp_path, written, problem, meant):
    path = tmp_path / "spec.yaml"
    path.write_text(SPEC.format(written))
    linter = Linter()
    result = linter.file(str(path))
    (finding,) = result.findings
    assert finding.code == "BAI318"
    assert finding.message == f"{written.removesuffix('/a')} {problem}"
    mended = fixed(linter, result)
    assert mended
    assert mended.text == SPEC.format(meant)


def test_a_name_that_is_not_declared_is_not_fixed():
    findings = found("${mounts.none")
    assert [(each.code, each.fix) for each in findings] == [("BAI401", None), ("BAI318", None)]


def test_a_misspelt_name_in_brackets():
    (finding,) = found("${mounts[cdoe]}")
    assert (finding.code, finding.hint, finding.fix) == ("BAI318", "write ${mounts.code}", None)


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("pyTorch: {script: '${mounts.code}train.py'}", "BAI506", "write ${mounts.code}/train.py"),
        ("pyTorch: {script: '{mounts.code}/train.py'}", "BAI319", "write ${mounts.code}"),
        ("outputs: {A: '{{mounts.results}}/a'}", "BAI319", "write ${mounts.results}"),
        ("outputs: {A: '@{mounts.results}/a'}", "BAI319", "write ${mounts.results}"),
        ("outputs: {A: '{inputs.DATA}/a'}", "BAI319", "write ${inputs.DATA}"),
        ("outputs: {A: '{mounts.others}/a'}", "BAI507", "begin the path with ${mounts.NAME}"),
        ("environment: {X: '$${AZ_BATCHAI_JOB_TEMP}/a'}", "BAI415", "write ${AZ_BATCHAI_JOB_TEMP}"),
        ("preparation: ls $$AZ_BATCHAI_INPUT_DATA", "BAI415", "write $AZ_BATCHAI_INPUT_DATA"),
    ],
)
def test_other_errors_are_reported_once(line, code, hint):
    (finding,) = found_in_job(line)
    assert (finding.code, finding.hint) == (code, hint)


@pytest.mark.parametrize(
    "line",
    [
        "preparation: echo ${mounts.results}.",
        "preparation: 'declare -A inputs; echo ${inputs[DATA]}'",
        "preparation: echo $${AZ_BATCHAI_OTHER}",
        "preparation: envsubst '$${AZ_BATCHAI_JOB_TEMP}' < a",
        "environment: {X: '$$AZ_BATCHAI_PYTORCH_BACKEND'}",
        "environment: {X: '${inputs.DATA}_2'}",
        "environment: {X: '${dataset.name}'}",
    ],
)
def test_what_may_be_meant_is_left_alone(line):
    assert found_in_job(line) == []


@pytest.mark.parametrize(
    "text",
    [
        *("${HOME}", "${HOME:-x}", "${#HOME}", "${HOME%.*}", '"${HOME}/{a,b}"'),
        *("awk '{print $1}'", "awk '{ inputs.DATA }'", "{inputs.OTHER}", "{{other.DATA}}"),
        *("python3 -c \"print(f'{inputs.DATA}')\"", "x '{{inputs.DATA}}' --template jinja"),
        *("node -e 'print(`${env.DEBUG}`)'", "'${env.DEBUG}'", "{ echo a; }"),
        *('curl -d \'{"a": "${inputs.DATA}"}\' x', "{${inputs.DATA}}", "${inputs.DATA}}"),
    ],
)
def test_other_braces_are_left_alone(text):
    assert not {finding.code for finding in found(text)} & {"BAI317", "BAI318", "BAI319", "BAI320"}


@pytest.mark.parametrize("group", TO_VARIABLES)
def test_references_of_every_group_are_reported_where_they_mean_nothing(group):
    (finding,) = found_in_job(f"container: 'registry/${{{group}.x}}'")
    assert (finding.code, finding.message) == ("BAI408", f"${{{group}.x}} means nothing here")
