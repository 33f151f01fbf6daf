"""`bai init`: what it writes is clean and runs."""

import os
import shlex
import venv
from pathlib import Path

import pytest
from loading import load_text

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(path.name for path in (ROOT / "cli/templates").iterdir() if path.is_dir())
NEXT = "next:\n  bai diff {0}    # what it would create\n  bai apply {0}   # run it\n"
JOB = """\
{"properties": {"nodeCount": 1, "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/r",
 "mountVolumes": {"azureFileShares": [{"accountName": "data",
  "azureFileUrl": "https://data.file.core.windows.net/r", "relativeMountPath": "r",
  "credentials": {"accountKey": "<AZURE_BATCHAI_STORAGE_KEY>"}}]},
 "customToolkitSettings": {"commandLine": "python train.py"}}}
"""
CLUSTER = """\
{"properties": {"vmSize": "STANDARD_NC6", "scaleSettings": {"manual": {"targetNodeCount": 1}},
 "userAccountSettings": {"adminUserName": "me", "adminUserSshPublicKey": "ssh-rsa AAAA me"}}}
"""


def written(bai):
    return sorted(str(path.relative_to(bai.folder)) for path in bai.folder.rglob("*.*"))


def test_all_templates_are_found():
    assert TEMPLATES == ["custom", "keras", "pytorch"]


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_is_short_and_clean(bai, template):
    done = bai.run("init", "--template", template)
    assert done.stdout == f"wrote experiment.yaml\nwrote train.py\n{NEXT.format('experiment.yaml')}"
    assert done.stderr == ""
    assert bai.run("lint").stdout.endswith("no findings\n")
    assert len((bai.folder / "train.py").read_text().splitlines()) <= 30


def run_first(bai, template):
    """Write a template and run it; its loss must fall."""
    bai.run("init", "--template", template)
    done = bai.run("apply", "experiment.yaml")
    assert "job/train succeeded" in done.stdout
    losses = [line.split()[-1] for line in done.stdout.splitlines() if "epoch" in line]
    assert len(losses) == 10
    assert float(losses[-1]) < float(losses[0])
    assert "metrics   loss 0.0" in done.stdout


def test_the_custom_template_runs(bai):
    run_first(bai, "custom")


@pytest.mark.horovod
def test_the_pytorch_template_runs(bai):
    pytest.importorskip("torch")
    pytest.importorskip("horovod")
    run_first(bai, "pytorch")


@pytest.mark.horovod
def test_the_keras_template_runs(bai):
    python = os.environ.get("BAI_KERAS_PYTHON") or ROOT / ".venv-keras/bin/python"
    if not Path(python).exists():
        pytest.skip("there is no environment with TensorFlow (make keras)")
    bai.context(slots=2, python=python)
    run_first(bai, "keras")


@pytest.mark.parametrize(
    ("packages", "template", "said"),
    [
        (("horovod", "torch", "tensorflow"), "pytorch", "Horovod and PyTorch are installed"),
        (("horovod", "tensorflow"), "keras", "Horovod and TensorFlow are installed"),
        (("torch",), "custom", "Horovod with PyTorch or TensorFlow is not installed"),
    ],
)
def test_what_is_installed_decides_and_is_not_imported(bai, tmp_path, packages, template, said):
    venv.create(tmp_path / "env", symlinks=True)
    python = tmp_path / "env/bin/python"
    [library] = (tmp_path / "env/lib").glob("python*/site-packages")
    for package in packages:
        (library / f"{package}.py").write_text("raise SystemExit('imported')")
    bai.context(python=python)
    done = bai.run("init", "first")
    assert done.stdout.startswith(f"template {template}: {said} for {python}\n")
    kept = (ROOT / f"cli/templates/{template}/train.py").read_text()
    assert (bai.folder / "first/train.py").read_text() == kept


def test_a_module_of_one_s_own_is_no_installed_package(bai, tmp_path):
    venv.create(tmp_path / "env", symlinks=True)
    bai.context(python=tmp_path / "env/bin/python")
    for package in ("horovod", "torch"):
        (bai.folder / f"{package}.py").write_text("")
    assert bai.run("init").stdout.startswith("template custom: ")


def test_an_interpreter_that_is_not_there_has_nothing(bai):
    bai.context(python="/nowhere/python")
    assert bai.run("init").stdout.startswith("template custom: ")


@pytest.mark.parametrize(
    ("folder", "options", "name"),
    [
        ("My Digits", (), "my-digits"),
        ("a/b", (), "b"),
        ("null", (), "null"),
        ("1e3", (), "1e3"),
        ("...", (), "experiment"),
        ("digits", ("--name", "other"), "other"),
    ],
)
def test_the_experiment_is_named_after_its_folder(bai, folder, options, name):
    done = bai.run("init", folder, "--template", "custom", *options)
    path = Path(folder, "experiment.yaml")
    assert done.stdout.endswith(NEXT.format(shlex.quote(str(path))))
    [spec] = load_text((bai.folder / path).read_text(), "spec.yaml", str(bai.folder)).specs
    assert spec.model.metadata.name == name


def test_nothing_is_overwritten_without_a_word(bai):
    (bai.folder / "experiment.yaml").write_text("mine")
    (bai.folder / "train.py").write_text("my own")
    done = bai.run("init", "--template", "custom", code=2)
    assert "experiment.yaml exists: add --force to overwrite it" in done.stderr
    assert (bai.folder / "experiment.yaml").read_text() == "mine"
    done = bai.run("init", "--template", "custom", "--force")
    assert "wrote experiment.yaml\nkept train.py, which the job runs\n" in done.stdout
    assert (bai.folder / "train.py").read_text() == "my own"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--name", "a b", "--template", "custom"), "'a b' is no experiment's name"),
        (("--template", "torch"), "'torch' (did you mean pytorch?)"),
        (("taken", "--template", "custom"), "taken is a file: name a folder"),
        (("--template", "custom", "--from", "job.json"), "leave it out"),
        (("--from", "nowhere.json"), "nowhere.json: No such file or directory"),
        (("--from", "taken"), "BAI209"),
    ],
)
def test_what_is_wrong_writes_nothing(bai, arguments, said):
    (bai.folder / "taken").write_text("text")
    (bai.folder / "job.json").write_text(JOB)
    before = written(bai)
    assert said in " ".join(bai.run("init", *arguments, code=2).stderr.split())
    assert written(bai) == before


@pytest.mark.parametrize("second", ["cluster.json", "--from=cluster.json"])
def test_from_files_of_batch_ai(bai, second):
    (bai.folder / "job.json").write_text(JOB)
    (bai.folder / "cluster.json").write_text(CLUSTER)
    done = bai.run("init", "first", "--from", "job.json", second, "--name", "old")
    assert done.stdout == f"wrote first/experiment.yaml\n{NEXT.format('first/experiment.yaml')}"
    assert written(bai) == ["bai.toml", "cluster.json", "first/experiment.yaml", "job.json"]
    imported = bai.run("import", "job.json", "cluster.json", "--name", "old").stdout
    assert (bai.folder / "first/experiment.yaml").read_text() == imported
    assert bai.run("lint", "first").stdout.endswith("no findings\n")


def test_a_spec_from_files_of_batch_ai_runs(bai):
    (bai.folder / "job.json").write_text(JOB.replace("python train.py", "echo ran"))
    (bai.folder / "cluster.json").write_text(CLUSTER)
    bai.run("init", "first", "--from", "job.json", "cluster.json")
    done = bai.run("apply", "first")
    assert "ran\n" in done.stdout
    assert "succeeded" in done.stdout


def template_script(template):
    return (ROOT / "cli/templates" / template / "train.py").read_text()


GUARD = "if __name__ == '__main__':\n    print('ran')\n"


@pytest.mark.parametrize(
    ("files", "run"),
    [
        ({"main.py": GUARD, "model.py": "WIDTH = 8\n"}, "custom: {command: python main.py}"),
        ({"fit.py": "import torch\nprint('ran')\n"}, "custom: {command: python fit.py}"),
        ({"go.py": template_script("pytorch")}, "horovod: {script: go.py, "),
        ({"go.py": template_script("keras")}, "horovod: {script: go.py, "),
        # Which one is meant is not clear, or none is.
        ({"a.py": GUARD, "b.py": GUARD}, "train.py"),
        ({"model.py": "from . import torch\nWIDTH = 8\n"}, "train.py"),
        ({"my script.py": GUARD, "broken.py": "if"}, "train.py"),
        # But the usual name is.
        ({"train.py": "print('ran')", "b.py": GUARD}, "custom: {command: python train.py}"),
    ],
)
def test_the_script_that_is_there_is_run(bai, files, run):
    for name, text in files.items():
        (bai.folder / name).write_text(text)
    said = bai.run("init").stdout
    assert run in (bai.folder / "experiment.yaml").read_text()
    kept = [name for name in files if f"kept {name}, which the job runs" in said]
    assert len(kept) == (run != "train.py")
    assert bai.run("lint", "experiment.yaml").stdout == "1 file checked, no findings\n"
    for name, text in files.items():
        assert (bai.folder / name).read_text() == text


def test_a_script_that_was_there_runs(bai):
    (bai.folder / "main.py").write_text(GUARD)
    assert bai.run("init").stdout.startswith("template custom: main.py does not import horovod\n")
    done = bai.run("apply", "experiment.yaml")
    assert "ran\n" in done.stdout
    assert "job/train succeeded" in done.stdout


def test_a_template_that_is_named_runs_the_script_that_is_there(bai):
    (bai.folder / "main.py").write_text(GUARD)
    assert "kept main.py" in bai.run("init", "--template", "keras").stdout
    assert "horovod: {script: main.py, " in (bai.folder / "experiment.yaml").read_text()
