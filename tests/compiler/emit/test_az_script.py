"""`commands.sh`: every share and container of the spec, once, before what mounts it."""

import shutil
import subprocess

import pytest
from compiling import compile_spec
from loading import load_text

from bai.compiler.compilation import Defaults
from bai.compiler.emit.az import to_files

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: e, workspace: w, resourceGroup: my.group, location: eastus}
spec:
  clusters:
    c:
      vmSize: STANDARD_D2_V2
      scale: 2
      user: {name: me, sshKey: ssh-rsa A}
      mounts: {data: azureBlob:inputs, models: "azureFile://partner/models"}
  jobs:
    a: {code: ., custom: {command: ls}}
    b:
      mounts:
        results: azureFile:results
        pasted: https://partner.file.core.windows.net/pasted
        full: {azureFile: {account: partner, share: full}}
      code: .
      custom: {command: ls}
"""
OPEN = '--account-name "$AZURE_BATCHAI_STORAGE_ACCOUNT"'


def script(text, defaults=None):
    loaded = load_text(text, "spec.yaml", "/")
    assert loaded.findings == ()
    return to_files(compile_spec(loaded.specs[0], defaults or Defaults()))["commands.sh"]


def test_what_is_mounted_is_made_first_and_once():
    commands = [line for line in script(SPEC).splitlines() if line.startswith("az ")]
    upload = (
        "az storage file upload-batch -d code --destination-path SNAPSHOT -s snapshots/SNAPSHOT"
    )
    assert commands == [
        f"az storage container create -n inputs {OPEN}",
        f"az storage share create -n code {OPEN}",
        f"az storage share create -n logs {OPEN}",
        f"az storage share create -n results {OPEN}",
        "az batchai workspace create -n w -g my.group -l eastus",
        "az batchai experiment create -n e -g my.group -w w",
        "az batchai cluster create -n c -g my.group -w w -f cluster.json",
        f"{upload} {OPEN}",
        "az batchai job create -n a -g my.group -w w -e e -c c -f a.job.json",
        "az batchai job create -n b -g my.group -w w -e e -c c -f b.job.json",
    ]


@pytest.mark.parametrize("where", ["spec", "context"])
def test_shares_of_the_account_of_the_spec_or_the_context_are_made(where):
    text, defaults = SPEC, Defaults(storage_account="vision")
    if where == "spec":
        text, defaults = SPEC.replace("spec:\n", "spec:\n  storageAccount: vision\n", 1), None
    written = script(text, defaults)
    assert "az storage share create -n results --account-name vision\n" in written
    assert "partner" not in written
    assert "AZURE_BATCHAI_STORAGE_ACCOUNT" not in written


def test_az_takes_a_user_for_a_cluster_without_one():
    text = SPEC.replace("      user: {name: me, sshKey: ssh-rsa A}\n", "")
    [line] = [line for line in script(text).splitlines() if "cluster create" in line]
    assert line.endswith(" -f cluster.json --generate-ssh-keys")


@pytest.mark.parametrize("checker", [["bash", "-n"], ["shellcheck"]], ids=["bash", "shellcheck"])
def test_it_is_a_good_script(checker, tmp_path):
    if not (program := shutil.which(checker[0])):
        pytest.skip(f"there is no {checker[0]}")
    path = tmp_path / "commands.sh"
    path.write_text(script(SPEC))
    done = subprocess.run([program, *checker[1:], path], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_it_works_beside_its_files_and_ends_at_the_first_failure(tmp_path):
    """With a program in place of az that says where it runs, and what is not there."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "out").mkdir()
    az = tmp_path / "bin/az"
    az.write_text('#!/bin/sh\npwd\n[ "$2" != cluster ]\n')
    az.chmod(0o755)
    path = tmp_path / "out/commands.sh"
    path.write_text(script(SPEC))

    def run(**environment):
        environment["PATH"] = f"{tmp_path / 'bin'}:/usr/bin:/bin"
        return subprocess.run(
            ["sh", path], cwd="/", env=environment, capture_output=True, text=True, check=False
        )

    done = run()
    assert "AZURE_BATCHAI_STORAGE_ACCOUNT: name the storage account" in done.stderr
    assert done.returncode != 0
    assert done.stdout == ""
    done = run(AZURE_BATCHAI_STORAGE_ACCOUNT="vision")
    assert done.stdout.splitlines() == [str(tmp_path / "out")] * 7
    assert done.returncode == 1
