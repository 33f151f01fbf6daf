"""The example of a CI workflow: every line that it runs is run here."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOW = yaml.safe_load((ROOT / "examples/ci/github-lint.yml").read_text())
STEPS = WORKFLOW["jobs"]["lint"]["steps"]
RUNS = [step["run"] for step in STEPS if "bai lint" in step.get("run", "")]


@pytest.fixture
def checkout(bai):
    """A repository with examples, and a function that runs a step in it as GitHub does."""
    shutil.copytree(ROOT / "examples", bai.folder / "examples")
    path = f"{Path(sys.executable).parent}:{bai.environment['PATH']}"

    def step(command):
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command]
        return subprocess.run(
            shell,
            cwd=bai.folder,
            env=bai.environment | {"PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    return bai.folder, step


def break_spec(folder):
    path = folder / "examples/digits/experiment.yaml"
    path.write_text(path.read_text().replace("outputs:", "output:"))


def test_it_is_a_workflow():
    # YAML 1.1 takes the key `on` for a boolean.
    assert {"name", True, "permissions", "jobs"} == set(WORKFLOW)
    for step in STEPS:
        assert ("uses" in step) != ("run" in step)
    assert len(RUNS) == 2


def test_correct_files_pass(checkout):
    folder, step = checkout
    for command in RUNS:
        done = step(command)
        assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((folder / "bai.sarif").read_text())["runs"][0]["results"] == []


def test_findings_fail_the_check_and_are_uploaded(checkout):
    folder, step = checkout
    break_spec(folder)
    checked, written = (step(command) for command in RUNS)
    assert checked.returncode == 1
    assert "::error file=examples/digits/experiment.yaml,line=" in checked.stdout
    assert written.returncode == 0
    (upload,) = [s["with"]["sarif_file"] for s in STEPS if "sarif_file" in s.get("with", {})]
    results = json.loads((folder / upload).read_text())["runs"][0]["results"]
    assert "BAI201" in {result["ruleId"] for result in results}


def test_a_failure_of_bai_itself_is_not_hidden(checkout):
    folder, step = checkout
    (folder / "bai.toml").write_text("[lint\n")
    assert [step(command).returncode for command in RUNS] == [2, 1]
