"""What commands say of the code of jobs."""

import json
import shlex

import pytest

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: small, workspace: w, resourceGroup: g, location: eastus}
spec:
  clusters: {one: {vmSize: STANDARD_NC6, scale: 1}}
  jobs:
    train:
      code: code
      preparation: pip install -r requirements.txt
      custom: {command: python train.py}
"""


@pytest.fixture
def folder(bai):
    (bai.folder / "code").mkdir()
    (bai.folder / "code/train.py").write_text("print('here')")
    (bai.folder / "code/requirements.txt").touch()
    (bai.folder / "experiment.yaml").write_text(SPEC)
    return bai.folder


def test_the_plan_says_how_much_it_is(bai, folder):
    shown = bai.run("diff", "experiment.yaml", code=1).stdout
    assert "+ job/train  create (code: 2 files, 13 bytes)\n" in shown
    assert not (folder / ".bai").exists()


def test_all_that_is_wrong_with_it_is_said_before_anything_is_done(bai, folder):
    (folder / "code/data").symlink_to("/data")
    (folder / "code/large").write_text("x" * 2000)
    (folder / "bai.toml").write_text("[contexts.small]\ncode-limit = '1k'\n")
    for command in ("diff", "apply", "compile"):
        said = bai.run(command, "experiment.yaml", code=2).stderr
        assert "experiment.yaml:8:13: error BAI518 the link data leads out of the folder" in said
        assert "experiment.yaml:8:13: error BAI519 the code is 2.0 kB, more than 1.0 kB" in said
    assert not (folder / ".bai").exists()


def test_a_limit_that_is_none(bai, folder):
    (folder / "bai.toml").write_text("[contexts.small]\ncode-limit = 'much'\n")
    said = bai.run("diff", "experiment.yaml", code=2).stderr
    assert "bai.toml:2:14: contexts.small.code-limit can't be 'much'" in said
    assert "such as 100m" in said


def test_lint_looks_for_the_files_that_commands_name(bai, folder):
    assert bai.run("lint", "experiment.yaml").stdout == "1 file checked, no findings\n"
    (folder / "code/train.py").rename(folder / "code/trian.py")
    (folder / "code/requirements.txt").unlink()
    said = bai.run("lint", "experiment.yaml", code=1).stdout
    assert "9:35: error BAI721 there is no requirements file code/requirements.txt" in said
    assert "10:32: error BAI721 there is no script code/train.py" in said
    assert "did you mean trian.py?" in said
    (folder / "experiment.yaml").write_text(SPEC.replace("code: code", "code: cdoe"))
    assert "there is no folder cdoe with the job's code" in bai.run("lint", code=1).stdout


def test_files_for_az_come_with_the_snapshot_and_its_upload(bai, folder):
    bai.run("compile", "experiment.yaml", "-d", "out")
    [name] = [path.name for path in (folder / "out/snapshots").iterdir() if path.is_dir()]
    assert (folder / f"out/snapshots/{name}/train.py").read_text() == "print('here')"
    commands = (folder / "out/commands.sh").read_text().splitlines()
    place = f"-d code --destination-path {name} -s snapshots/{name}"
    account = '--account-name "$AZURE_BATCHAI_STORAGE_ACCOUNT"'
    assert commands[-2] == f"az storage file upload-batch {place} {account}"
    job = json.loads((folder / "out/job.json").read_text())["properties"]
    assert job["customToolkitSettings"]["commandLine"] == 'cd "$BAI_CODE" && python train.py'
    assert bai.run("lint", "out/job.json").stdout == "1 file checked, no findings\n"
    # The snapshots are part of no snapshot, even where they are in the code.
    (folder / "experiment.yaml").write_text(SPEC.replace("code: code", "code: ."))
    for _ in range(2):
        bai.run("compile", "experiment.yaml", "-d", "code")
    assert len(list((folder / "code/snapshots").glob("*/code/train.py"))) == 2
    assert not list((folder / "code/snapshots").glob("*/**/snapshots"))


def test_files_for_az_that_stand_in_the_code_are_none_of_it(bai, folder):
    (folder / "experiment.yaml").write_text(SPEC.replace("code: code", "code: ."))
    first = bai.run("compile", "experiment.yaml", "-d", "out")
    assert bai.run("compile", "experiment.yaml", "-d", "out").stdout == first.stdout
    assert len([path for path in (folder / "out/snapshots").iterdir() if path.is_dir()]) == 1
    (folder / "out/old.job.json").write_text("{}")
    again = bai.run("compile", "experiment.yaml", "-d", "out")
    assert again.stderr == "left out/old.job.json, which these specs do not compile to\n"


def test_what_is_fetched_beside_the_spec_is_left_out_as_the_plan_proposes(bai):
    text = bai.custom("job", "echo w > $AZ_BATCHAI_OUTPUT_MODEL/weights", code=".")
    spec = bai.write(text.replace("code: .", 'code: .\n      outputs: {MODEL: "${mounts.r}"}'))
    bai.run("apply", spec)
    bai.run("storage", "cp", "-r", "job:job/MODEL", ".")
    changed = bai.run("diff", spec, code=1).stdout
    assert "(MODEL/weights added; /MODEL/ in .baiignore leaves it out)\n" in changed
    (bai.folder / ".baiignore").write_text("/MODEL/\n")
    assert bai.run("diff", spec).stdout.endswith("4 unchanged\n")


def test_ranks_of_mpirun_start_in_the_code_in_azure(bai, folder):
    text = SPEC.replace("custom: {command: python train.py}", "customMpi: {command: echo 'a  b'}")
    (folder / "experiment.yaml").write_text(text)
    bai.run("compile", "experiment.yaml", "-d", "out")
    job = json.loads((folder / "out/job.json").read_text())["properties"]
    [bash, option, line] = shlex.split(job["customMpiSettings"]["commandLine"])
    assert [bash, option, line] == ["bash", "-c", "cd \"$BAI_CODE\" && echo 'a  b'"]
    assert bai.run("lint", "out/job.json").stdout == "1 file checked, no findings\n"


def test_a_job_of_an_imported_file_starts_in_its_code(bai, folder):
    """compile(import(x)) = x for a job with code."""
    bai.run("compile", "experiment.yaml", "-d", "out")
    bai.run("import", "out/job.json", "out/cluster.json", "-o", "imported.yaml")
    bai.run("compile", "imported.yaml", "-d", "again")
    assert (folder / "again/job.json").read_text() == (folder / "out/job.json").read_text()
