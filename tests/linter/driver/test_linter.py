"""How much is done for a file: each is parsed once, and ShellCheck started once for all."""

import json
from collections import Counter

import pytest

from bai.linter.driver.linter import Linter
from bai.specs.syntax import fast_reader, reader

COMMAND = "mkdir x; for i in 1 2; do echo $i; done"
JOB = {
    "properties": {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/logs",
        "jobPreparation": {"commandLine": f"{COMMAND}; true"},
        "customToolkitSettings": {"commandLine": COMMAND},
    }
}
SPEC = f"""\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: e}}
spec:
  jobs:
    one:
      cluster: c
      nodeCount: 1
      mounts: {{r: azureFile:r}}
      logs: ${{mounts.r}}
      preparation: "{COMMAND}; true"
      custom: {{command: "{COMMAND}"}}
  clusters: {{c: {{vmSize: STANDARD_NC6, scale: 1}}}}
"""


@pytest.fixture
def parsed(monkeypatch):
    """Count how often each way of parsing is used."""
    calls = Counter()

    def count(module, name):
        parse = getattr(module, name)

        def counted(*arguments):
            calls[name] += 1
            return parse(*arguments)

        monkeypatch.setattr(module, name, counted)

    count(fast_reader, "read_fast")
    count(reader, "read")
    return calls


@pytest.fixture
def started(monkeypatch, tmp_path):
    """Put a program in ShellCheck's place, and return what says how often it was started."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "shellcheck"
    program.write_text(f"#!/bin/sh\necho x >> {folder}/runs\necho '{{\"comments\": []}}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))

    def runs():
        file = folder / "runs"
        return len(file.read_text().splitlines()) if file.exists() else 0

    return runs


def written(folder, **files):
    paths = []
    for name, content in files.items():
        path = folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        paths.append((str(path), False))
    return paths


def test_clean_files_are_parsed_once_and_without_places(tmp_path, parsed, started):
    checked = Linter().several(written(tmp_path, a=JOB, b=JOB))
    assert [each.passed_over for each in checked] == [False, False]
    assert parsed == {"read_fast": 2}


def test_a_file_with_findings_is_parsed_once_in_each_way(tmp_path, parsed, started):
    wrong = JOB | {"properties": JOB["properties"] | {"nodecount": 1}}
    [checked] = Linter().several(written(tmp_path, a=wrong))
    assert checked.findings
    assert parsed == {"read_fast": 1, "read": 1}


def test_a_spec_is_parsed_once(tmp_path, parsed, started):
    Linter().several(written(tmp_path, a=SPEC))
    assert parsed == {"read": 1}


@pytest.mark.parametrize(
    "content", ["a: [properties]\n", "apiVersion: v1\nkind: Pod\nspec: {properties: 1}\n"]
)
def test_a_foreign_file_is_not_read_with_places(tmp_path, parsed, content):
    [checked] = Linter().several(written(tmp_path, a=content))
    assert checked.passed_over
    assert parsed == {"read_fast": 1}


def test_most_foreign_files_are_not_parsed(tmp_path, parsed):
    [checked] = Linter().several(written(tmp_path, a={"name": "package", "version": "1"}))
    assert checked.passed_over
    assert not parsed


@pytest.mark.parametrize("content", [JOB, SPEC])
def test_shellcheck_is_started_once_for_the_commands_of_a_file(tmp_path, started, content):
    Linter().several(written(tmp_path, a=content))
    assert started() == 1


def test_shellcheck_is_started_once_for_several_files(tmp_path, started):
    other = json.loads(json.dumps(JOB).replace("mkdir x", "mkdir y"))
    Linter().several(written(tmp_path, a=JOB, b=other))
    assert started() == 1


def test_shellcheck_is_not_started_for_what_needs_none(tmp_path, started):
    plain = json.loads(json.dumps(JOB).replace(COMMAND, "python train.py"))
    plain["properties"].pop("jobPreparation")
    Linter().several(written(tmp_path, a=plain, b={"name": "package"}))
    assert started() == 0
