"""`Experiment.lint` finds what `bai lint` finds."""

import shutil
from pathlib import Path

import pytest

import bai
from bai.linter.driver.linter import Linter, Options
from bai.runtime.context import select
from bai.specs.codes import CODES, Stage

ROOT = Path(__file__).parents[2]
SPECS = sorted(
    [
        *ROOT.glob("examples/*/experiment.yaml"),
        *ROOT.glob("tests/compiler/golden/*/spec.yaml"),
        *ROOT.glob("tests/specs/broken/*.yaml"),
        *ROOT.glob("tests/cli/findings/*.yaml"),
        *ROOT.glob("tests/linter/files/*.yaml"),
        *ROOT.glob("tests/linter/files/*.json"),
    ]
)
SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: e}
spec:
  clusters: {c: {vmSize: STANDARD_NC6, scale: 1}}
  jobs:
    j:
      nodeCount: 1
      mounts: {r: azureFile:r, code: file:code}
      logs: ${mounts.r}
      custom: {command: "%s"}%s
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "code").mkdir()
    return tmp_path


def by_command(path):
    options = Options(lambda: select(None, Path.cwd()).defaults)
    return Linter(options).file(str(path)).findings


def codes(path):
    """Return the codes of what is found in a file, which must be the same in both ways."""
    found = bai.load(path).lint()
    assert found == by_command(path)
    return [finding.code for finding in found]


def test_there_are_specs():
    assert len(SPECS) > 80


@pytest.mark.parametrize("path", SPECS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_specs_and_examples(path):
    codes(path)


def test_a_missing_script_and_a_broken_one(here):
    (here / "code/broken.py").write_text("if a\n")
    (here / "e.yaml").write_text(SPEC % ("python ${mounts.code}/gone.py", ""))
    assert codes("e.yaml") == ["BAI721"]
    (here / "e.yaml").write_text(SPEC % ("python ${mounts.code}/broken.py", ""))
    assert codes("e.yaml") == ["BAI722"]


def test_shellcheck_is_asked(here):
    if not shutil.which("shellcheck"):
        pytest.skip("shellcheck is not installed")
    (here / "e.yaml").write_text(SPEC % ("if [ ready = ]; then echo ready; fi", ""))
    assert set(codes("e.yaml")) == {"BAI720"}


def test_suppressions(here):
    command = "python ${mounts.code}/gone.py"
    (here / "e.yaml").write_text(SPEC % (command, "  # bai: ignore[BAI721] it comes later"))
    assert codes("e.yaml") == []
    (here / "e.yaml").write_text(SPEC % ("true", "  # bai: ignore[BAI404] set by the image"))
    assert codes("e.yaml") == ["BAI901"]


@pytest.mark.parametrize(
    "table",
    ['ignore = ["BAI721"]', 'exclude = ["e.yaml"]', 'per-file-ignores = {"*.yaml" = ["BAI7"]}'],
)
def test_settings(here, table):
    (here / "bai.toml").write_text(f"[lint]\n{table}\n")
    (here / "e.yaml").write_text(SPEC % ("python ${mounts.code}/gone.py", ""))
    assert codes("e.yaml") == []


def test_wrong_settings(here):
    (here / "bai.toml").write_text('[lint]\nignore = ["X"]\n')
    (here / "e.yaml").write_text(SPEC % ("true", ""))
    with pytest.raises(bai.ContextError, match="there is no code 'X'"):
        bai.load("e.yaml").lint()


def test_files_that_are_no_specs(here):
    (here / "job.json").write_text('{"properties": {"nodeCount": 1, "nodeSetup": 2}}')
    assert "BAI201" in codes("job.json")
    (here / "x.yaml").write_text("services: {web: {image: x}}\n")
    assert codes("x.yaml") == ["BAI209"]


def test_several_files_are_checked_together(here):
    missing = SPEC % ("python ${mounts.code}/gone.py", "")
    (here / "a.yaml").write_text(missing)
    (here / "b.yaml").write_text(missing.replace("name: e", "name: f"))
    found = bai.load("a.yaml", "b.yaml").lint()
    assert [(each.code, each.span.file) for each in found] == [
        ("BAI721", "a.yaml"),
        ("BAI721", "b.yaml"),
    ]


FOREIGN = {
    "docker-compose.yaml": "services: {web: {image: nginx}}\n",
    "pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: []}\n",
    "values.yaml": "replicaCount: 1\nimage: {tag: x}\n",
    "list.json": "[1, 2]",
    "text.yaml": "some words\n",
    "colonless.yaml": "apiVersion:bai/v1\nkind:Experiment\n",
    "half.yaml": "jobs: {a: {nodeCount: 1}}\n",
    "train.py": "import os\nprint(os.environ['A'], {'properties': 1})\n",
    "words.py": "x\n",
    "run.sh": "set -e; echo 'a: b'\n",
    "broken.json": '{"services": ',
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_foreign_is_called_the_same_by_lint_and_apply(here, name):
    (here / name).write_text(FOREIGN[name])
    experiment = bai.load(name)
    with pytest.raises(bai.FindingsError) as raised:
        experiment.apply()
    assert raised.value.findings == experiment.lint() == by_command(name) != ()


@pytest.mark.parametrize("name", ["train.py", "words.py", "run.sh"])
def test_a_script_is_called_one_and_its_spec_is_named(here, name):
    (here / name).write_text(FOREIGN[name])
    [finding] = by_command(name)
    assert finding.code == "BAI209"
    assert "script" in finding.message
    assert finding.hint.startswith("lint the spec that runs it")


def test_a_script_that_is_not_there_is_reported_as_that():
    [finding] = by_command("gone.py")
    assert finding.code == "BAI110"


def test_a_spec_may_have_any_name(here):
    (here / "spec.py").write_text(SPEC % ("true", ""))
    assert codes("spec.py") == []


def test_batch_ais_files_are_linted_and_not_run(here):
    (here / "job.json").write_text('{"propertes": {"nodeCount": 1, "stdOutErrPathPrefix": "x"}}')
    with pytest.raises(bai.FindingsError) as raised:
        bai.load("job.json").apply()
    [finding] = raised.value.findings
    assert finding.message == "this is a file for Batch AI, not a spec"


BROKEN = [
    path
    for path in SPECS
    if ("broken" in path.parts or "findings" in path.parts) and "job" not in path.stem
]
MISSPELT = ROOT / "tests/linter/rules/BAI201/below-misspelt-keys.yaml"


@pytest.mark.parametrize("path", [*BROKEN, MISSPELT], ids=lambda path: path.name)
def test_what_stops_a_run_is_all_that_lint_finds_in_the_text(path):
    experiment = bai.load(path)
    of_text = (Stage.READING, Stage.COMPILING, Stage.CHECKING)
    found = [finding for finding in experiment.lint() if CODES[finding.code].stage in of_text]
    assert list(experiment.findings) == found


def test_a_spec_with_errors_has_no_resources(here):
    path = here / "e.yaml"
    path.write_text((SPEC % ("true", "")).replace("custom", "cutsom"))
    assert bai.load(path).compile() == []
