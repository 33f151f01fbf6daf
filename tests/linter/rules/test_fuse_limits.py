"""What jobs ask of a container that rclone shows, and what that can't do."""

import pytest
from linting import lint

from bai.compiler.compilation import Defaults
from bai.linter.driver.filesystem import LocalFiles
from bai.linter.environment import LintEnvironment

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: x}}
spec:
  clusters:
    gpu: {{vmSize: STANDARD_NC6, scale: 1, mounts: {{all: "azureBlob://vision/all"}}}}
  jobs:
    train:
      mounts:
        data: azureBlob://vision/data
        other: azureBlob://archive/data
        share: azureFile://vision/share
        code: file:code
      logs: ${{mounts.share}}
      outputs: {{MODEL: "${{mounts.data}}", LOG: "${{mounts.share}}"}}
{more}      custom: {{command: '{command}'}}
"""
DEFAULTS = Defaults("s", "g", "w", "l", "store")


@pytest.fixture
def found(tmp_path):
    def check(command, more="", accounts=("vision",)):
        machine = LintEnvironment(lambda: DEFAULTS, files=LocalFiles(), fuse_accounts=accounts)
        text = SPEC.format(command=command, more=more)
        listed = lint(text.encode(), "experiment.yaml", str(tmp_path), machine)
        return [each for each in listed if each.code == "BAI522"]

    return check


WRONG = {
    "ln -s /opt/model ${mounts.data}/model": "symbolic links",
    "ln a.bin ${mounts.data}/b.bin": "hard links",
    "ln -sfn -t ${mounts.data} /opt/model": "symbolic links",
    "cd ${mounts.data} && ln -s a b": "symbolic links",
    "cd ${mounts.data}/deep && ln -s ../a": "symbolic links",
    'bash -c "ln -s a $AZ_BATCHAI_JOB_MOUNT_ROOT/data/b"': "symbolic links",
    "ln -s x ${outputs.MODEL}/last": "symbolic links",
    "ln -s x $AZ_BATCHAI_MOUNT_ROOT/all/last": "symbolic links",
    "cp -al /opt/data ${mounts.data}/data": "hard links",
    "mkfifo ${mounts.data}/pipe": "named pipes",
    "python3 -m venv ${mounts.data}/env": "symbolic links",
    "virtualenv -p python3 ${mounts.data}/env": "symbolic links",
    "conda create -y -p ${mounts.data}/env numpy": "symbolic links",
    "chmod 600 ${mounts.data}/key": "file modes",
    "chmod -R go-rwx ${mounts.data}/keys": "file modes",
}
RIGHT = [
    "ln -s ${mounts.data}/model $AZ_BATCHAI_JOB_TEMP/model",
    "ln -s a ${mounts.other}/b",
    "ln -s a ${mounts.share}/b",
    "ln -s x ${outputs.LOG}/last",
    "cd ${mounts.data}; cd /tmp; ln -s a b",
    "cd ${mounts.data} || ln -s a b",
    "cp -r ${mounts.data}/a ${mounts.data}/b",
    "chmod +x ${mounts.data}/run.sh",
    "chmod 755 ${mounts.data}/run.sh",
    "echo ln -s a ${mounts.data}/b",
    "flock ${mounts.data}/lock python -m http.server",
    "sqlite3 ${mounts.data}/study.db .schema",
    "python -m venv $AZ_BATCHAI_JOB_TEMP/env",
]


@pytest.mark.parametrize(("command", "what"), WRONG.items())
def test_what_a_container_lacks_is_found(found, command, what):
    [finding] = found(command)
    mount = "all" if "/all/" in command else "data"
    assert finding.message == (
        f"the mount {mount!r} is a container that rclone shows, which has no {what}"
    )


@pytest.mark.parametrize("command", RIGHT)
def test_what_works_is_not_found(found, command):
    assert found(command) == []


@pytest.mark.parametrize("command", WRONG)
def test_accounts_that_are_folders_or_copied_have_it_all(found, command):
    assert found(command, accounts=()) == []
    assert found(command, more="      container: x:1\n") == []


SCRIPT = """\
import os
from pathlib import Path
data = os.path.join(os.environ["AZ_BATCHAI_JOB_MOUNT_ROOT"], "data")
model = Path(os.environ["AZ_BATCHAI_OUTPUT_MODEL"])
temp = os.environ["AZ_BATCHAI_JOB_TEMP"]
{}
"""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('os.symlink("a", os.path.join(data, "last"))', "os.symlink on line 6"),
        ('os.link("a", f"{data}/last")', "os.link on line 6"),
        ('(model / "last").symlink_to("a")', "symlink_to on line 6"),
        ('os.mkfifo(data + "/pipe")', "os.mkfifo on line 6"),
        ('os.symlink(data, os.path.join(temp, "data"))', None),
        ('os.symlink("a", "$AZ_BATCHAI_JOB_MOUNT_ROOT/data/b")', None),
        ('os.symlink("a", os.path.join(unknown, data))', None),
        ('os.symlink("a", f"{unknown}{data}")', None),
        ('os.replace("a", os.path.join(data, "last"))', None),
    ],
)
def test_scripts_are_looked_at(found, tmp_path, line, said):
    (tmp_path / "code").mkdir()
    (tmp_path / "code/train.py").write_text(SCRIPT.format(line))
    listed = found("python ${mounts.code}/train.py")
    calls = [each.message.partition(" of train.py")[0] for each in listed]
    assert calls == ([said] if said else [])
