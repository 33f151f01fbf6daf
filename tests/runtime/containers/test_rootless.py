"""Jobs in containers of an ordinary user's podman: what they write is the user's."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from containing import info, log, small_archive

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[3]
USER = 54321
IMAGE = "localhost/small:1"
AS_USER = """\
set -e
folder=$1 user=$2; shift 2
while [ "$1" != -- ]; do
    over=$(mktemp -d -p "$folder"); mkdir -m 755 $over/upper; mkdir $over/work
    mount -t overlay -o "lowerdir=$1,upperdir=$over/upper,workdir=$over/work" overlay "$1"
    shift
done
shift
exec setpriv --reuid $user --regid $user --clear-groups "$@"
"""
"""Runs a command as a user, who may pass through folders that are root's alone."""


def closed():
    """Return the folders that keep other users from this interpreter and from bai."""
    used = [Path(each).resolve() for each in (sys.base_prefix, sys.prefix, ROOT)]
    parents = {parent for path in used for parent in path.parents}
    return sorted(path for path in parents if not path.stat().st_mode & 0o001)


@pytest.fixture
def ordinary(bai, podman_image):
    """bai as an ordinary user, with an image of that user's podman."""
    _, variables = podman_image
    folder = Path(tempfile.mkdtemp(prefix="bai-user-"))
    folder.chmod(0o755)
    for name in ("home", "run", "work"):
        (folder / name).mkdir(mode=0o700)
        os.chown(folder / name, USER, USER)
    shutil.copy(variables["CONTAINERS_CONF"], folder / "containers.conf")
    own = {
        "HOME": folder / "home",
        "XDG_RUNTIME_DIR": folder / "run",
        "CONTAINERS_CONF": folder / "containers.conf",
    }
    kept = {k: v for k, v in bai.environment.items() if not k.startswith("XDG_")}
    variables = kept | {name: str(path) for name, path in own.items()}
    prefix = ["unshare", "--mount", "sh", "-c", AS_USER, "sh", str(folder), str(USER)]
    prefix += [*map(str, closed()), "--"]

    def podman(*arguments):
        return subprocess.run(
            [*prefix, "podman", *arguments],
            cwd=folder,
            env=variables,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    archive = small_archive(folder, "sh", "bash", "cat", "rm", "sleep", "id")
    podman("import", "--quiet", archive, IMAGE)
    bai.folder, bai.environment = folder / "work", variables
    bai.command = [*prefix, *bai.command]
    bai.context(slots=2, containers="podman")
    yield bai, podman
    # podman keeps the namespaces of its user by a process.
    os.kill(int((folder / "run/libpod/tmp/pause.pid").read_text()), signal.SIGKILL)
    shutil.rmtree(folder)


def test_files_belong_to_the_user_whose_podman_it_is(ordinary):
    bai, podman = ordinary
    command = "id -u; id -g; echo of the job > $AZ_BATCHAI_OUTPUT_MODEL/file"
    outputs = "{MODEL: '${mounts.r}'}"
    job = bai.custom("job", command, container=f"'{IMAGE}'", outputs=outputs)
    bai.run("apply", bai.write(job))
    assert info(bai)["exitCode"] == 0
    assert log(bai) == "0\n0\n"
    (output,) = bai.storage.rglob("outputs/file")
    assert (output.stat().st_uid, output.stat().st_gid) == (USER, USER)
    assert podman("ps", "--all", "--format", "{{.Names}}") == ""
