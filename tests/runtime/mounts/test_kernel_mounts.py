"""Shares and exports that a kernel mounts, in user-mode Linux: the kernel here may have neither."""

import shlex
import signal
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

import guest as guests
import pytest
import samba

from bai.runtime.mounts import kernel
from bai.runtime.mounts.nfs import NFS as NFS4

BAI = str(Path(sys.executable).with_name("bai"))
NFS = f"{guests.SERVER}:/export"
SPEC = """
apiVersion: bai/v1
kind: Experiment
metadata: {name: test}
spec:
  clusters:
    c: {scale: 1}
  fileServers:
    nfs: {disks: {count: 1, size: 32g, type: standard}, user: {name: me, password: env:VISION_KEY}}
  jobs:
    train:
      mounts:
        r: azureFile:r
        data: azureFile://vision/data?fileMode=0640
        nfs: {fileServer: {name: nfs, source: sub, options: "noatime,rsize=65536"}}
      logs: ${mounts.r}
      custom: {command: "bash $AZ_BATCHAI_JOB_MOUNT_ROOT/data/command"}
"""
CONTEXT = f"""
[contexts.test.accounts.vision]
file-endpoint = "smb://{guests.SERVER}"
key = "env:VISION_KEY"
[contexts.test.file-servers.nfs]
export = "{NFS}"
"""


@pytest.fixture(scope="module")
def guest(tmp_path_factory):
    with guests.booted(tmp_path_factory.mktemp("guest")) as guest:
        yield guest


@pytest.fixture
def folder(guest):
    """A folder of the guest's with a spec and its context, and servers with what it needs."""
    (guest.shared / "experiment.yaml").write_text(SPEC)
    (guest.shared / "bai.toml").write_text(CONTEXT)
    (guest.export / "sub").mkdir(exist_ok=True)
    name = f"/mnt/{len(guest.asked)}"
    guest.run(f"mkdir {name} && cp /mnt/shared/experiment.yaml /mnt/shared/bai.toml {name}")
    return name


def run(guest, folder, commands):
    """Run bash in the guest, where bai is a command."""
    script = f'bai() {{ {shlex.quote(BAI)} "$@"; }}\ncd {folder}\n{commands}'
    return guest.run(script, VISION_KEY=samba.Samba.key, COLUMNS="200")


def test_a_job_has_a_share_and_an_export(guest, folder):
    data, sub = guest.samba.data, guest.export / "sub"
    (data / "words").write_text("hello\n")
    (sub / "old").touch()
    (data / "command").write_text(
        "cd $AZ_BATCHAI_JOB_MOUNT_ROOT\n"
        "cat data/words; rm nfs/old; stat -c %a data/words\n"
        "head -c 3000000 /dev/urandom > data/new; mv data/new data/big\n"
        "ln -s big nfs/link; cp data/big nfs/big; grep -E ' (cifs|nfs4) ' /proc/mounts\n"
        "cat /proc/[0-9]*/cmdline | grep -ac '[a]2V5IG9m'\n"
    )
    said = run(guest, folder, "bai apply experiment.yaml >&2; bai logs train")
    first, mode, *mounts, found = said.splitlines()
    assert (first, mode, found) == ("hello", "640", "0")
    [cifs, nfs] = sorted(mounts, key=lambda line: line.split()[2])
    assert cifs.startswith(f"//{guests.SERVER}/data {folder}/.bai/jobs/")
    modes = ("file_mode=0640", "dir_mode=0777")
    for option in ("vers=3.0", "nosuid", "username=vision", "serverino", *modes):
        assert f",{option}," in cifs
    assert nfs.startswith(f"{NFS}/sub {folder}/.bai/jobs/")
    for option in ("vers=4.2", "noatime", "nosuid", "rsize=65536"):
        assert f",{option}," in nfs.replace(" rw,", ",")
    assert (data / "big").stat().st_size == 3_000_000
    assert (sub / "big").read_bytes() == (data / "big").read_bytes()
    assert (sub / "link").readlink() == Path("big")
    assert not (sub / "old").exists()
    left = run(guest, folder, "grep -E 'cifs|nfs4' /proc/mounts; grep -rl a2V5IG9m .bai; true")
    assert left == ""


def test_all_is_unmounted_though_all_is_killed(guest, folder):
    data = guest.samba.data
    (data / "ready").unlink(missing_ok=True)
    (data / "command").write_text("cd ${0%/*}; touch ready; sleep 600\n")
    said = run(
        guest,
        folder,
        """
        bai apply -d experiment.yaml >&2
        mounted() { grep -cE ' (cifs|nfs4) ' /proc/mounts; }
        until [ -e .bai/jobs/*/mounts/job/data/ready ]; do sleep 0.1; done
        mounted
        kill -9 $(grep -lz '[.]guardian import main' /proc/[0-9]*/cmdline | cut -d/ -f3)
        mounted
        bai get job train > /dev/null
        mounted
        true
        """,
    )
    assert said.split() == ["2", "2", "0"]
    assert (data / "ready").exists()


@pytest.mark.skipif(kernel.obstacle(NFS4) is None, reason="the kernel here mounts exports")
def test_an_export_that_this_machine_can_t_mount_is_a_finding(bai):
    with (bai.folder / "bai.toml").open("a") as file:
        file.write(CONTEXT)
    bai.environment["VISION_KEY"] = samba.Samba.key
    (bai.folder / "experiment.yaml").write_text(SPEC)
    said = " ".join(bai.run("diff", "experiment.yaml", code=2).stderr.split())
    assert "error BAI508 NFS exports are mounted by the kernel, " in said


def test_a_file_server_may_be_a_folder_that_is_there(bai):
    (bai.folder / "served/sub").mkdir(parents=True)
    with (bai.folder / "bai.toml").open("a") as file:
        file.write('[contexts.test.file-servers.nfs]\nfolder = "served"\n')
    bai.environment["VISION_KEY"] = samba.Samba.key
    command = "bash $AZ_BATCHAI_JOB_MOUNT_ROOT/data/command"
    spec = SPEC.replace(command, "touch $AZ_BATCHAI_JOB_MOUNT_ROOT/nfs/written")
    (bai.folder / "experiment.yaml").write_text(spec)
    done = bai.run("apply", "experiment.yaml")
    note = f"note: job train: the file server nfs is {bai.folder}/served"
    assert note in " ".join((done.stdout + done.stderr).split())
    assert (bai.folder / "served/sub/written").exists()


PROGRAM = """
import time
from pathlib import Path
from bai.runtime.errors import LaunchError
from bai.runtime.mounts import kernel
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.drivers import Drivers
{limits}
drivers, mount = Drivers(list), Mount("data", "/mnt/m", **{mount})
try:
    drivers.mount([mount])
    Path("/mnt/m/written").write_text("x")
    Path("/mnt/shared/ready").touch()
    while not Path("/mnt/shared/go").exists():
        time.sleep(0.05)
    print(*drivers.unmount([mount]))
except LaunchError as error:
    print(error)
assert " /mnt/m " not in Path("/proc/mounts").read_text()
assert not Path("/mnt/m").exists()
"""


def begin(guest, mount, limits=""):
    """Have bai's own drivers make a mount in the guest, and take it away when `go` is there.

    Args:
        limits: a line of Python that shortens a limit, for servers that hang.
    """
    for name in ("ready", "go"):
        (guest.shared / name).unlink(missing_ok=True)
    (guest.shared / "program.py").write_text(
        PROGRAM.replace("{mount}", repr(mount)).replace("{limits}", limits)
    )
    return guest.ask(f"{shlex.quote(sys.executable)} /mnt/shared/program.py")


def share(source=f"smb://{guests.SERVER}/data", secret=samba.Samba.key):
    return {"source": source, "driver": "smb", "user": "vision", "secret": secret}


def export(source=NFS):
    return {"source": source, "driver": "nfs"}


@contextmanager
def stopped(process):
    """Have a process stand still."""
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


@pytest.mark.parametrize(
    ("mount", "reason"),
    [
        (share(secret="bm8="), "it refuses the user or the key"),
        (share(f"smb://{guests.SERVER}/none"), "there is no such share: make it first"),
        (share(f"smb://{guests.SERVER}:446/data"), "Connection refused"),
        (export(f"{NFS}/none"), "there is no such directory on the server: make it first"),
        (export("none.invalid:/export"), "none.invalid: "),
    ],
)
def test_what_the_kernel_can_t_mount(guest, mount, reason):
    said = guest.answer(begin(guest, mount))
    assert said.startswith(f"can't mount data, {mount['source']}: {reason}")


@pytest.mark.parametrize("mount", [share(), export()], ids=["smb", "nfs"])
def test_a_server_that_hangs_ends_a_mount(guest, mount):
    with stopped(guest.samba.process if mount["driver"] == "smb" else guest.nfs):
        said = guest.answer(begin(guest, mount, "kernel.MOUNT_SECONDS = 3"))
    assert said == f"can't mount data, {mount['source']}: no answer in 3 s\n"


@pytest.mark.parametrize("is_there", [True, False])
def test_what_has_not_arrived_is_said(guest, is_there):
    asked = begin(guest, export(), "" if is_there else "kernel.SILENT_SECONDS = 3")
    guest.until((guest.shared / "ready").exists, "the mount")
    with nullcontext() if is_there else stopped(guest.nfs):
        (guest.shared / "go").touch()
        said = guest.answer(asked)
    lost = f"what the job wrote to data, {NFS}, may not have arrived: no answer for 3 s"
    assert said.strip() == ("" if is_there else lost)
