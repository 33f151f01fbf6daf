"""A machine whose kernel has CIFS and NFS: user-mode Linux, with the files of this one."""

import contextlib
import json
import os
import secrets
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import samba

SECONDS = 240
_END_SECONDS = 30
SERVER = "10.78.0.1"
"""The address of this side of the network; the guest has the next one."""
_GUEST = "10.78.0.2"
_MODULES = Path("/usr/lib/uml/modules")
_PROGRAMS = {
    "linux.uml": "user-mode-linux",
    "ganesha.nfsd": "nfs-ganesha nfs-ganesha-vfs",
    "smbd": "samba",
    "ip": "iproute2",
    "modprobe": "kmod",
}
_INIT = """#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs tmp /mnt
mount -t tmpfs run /run
mkdir -p /mnt/shared /mnt/modules/lib
mount -t hostfs -o {shared} none /mnt/shared
ln -s {modules} /mnt/modules/lib/modules
printf '#!/bin/sh\\nexec modprobe -d /mnt/modules "$@"\\n' > /mnt/modprobe
chmod +x /mnt/modprobe
echo /mnt/modprobe > /proc/sys/kernel/modprobe
ip link set lo up
ip addr add {guest}/24 dev vec0
ip link set vec0 up
for module in nfsv4 cifs fuse; do modprobe -d /mnt/modules $module; done
exec {python} {own}
"""
_CONFIGURATION = """NFS_CORE_PARAM {{
    Protocols = 4; NFS_Port = 2049; Bind_addr = {server};
    Enable_NLM = false; Enable_RQUOTA = false; Enable_UDP = None;
}}
NFSv4 {{
    Grace_Period = 5; Lease_Lifetime = 5; Graceless = true;
    RecoveryBackend = fs; RecoveryRoot = {own};
}}
EXPORT {{
    Export_Id = 1; Path = {folder}; Pseudo = /export; Access_Type = RW;
    Squash = No_Root_Squash; SecType = sys; Protocols = 4; Transports = TCP;
    FSAL {{ Name = VFS; }}
}}
LOG {{ Default_Log_Level = EVENT; }}
"""


@dataclass(frozen=True)
class Guest:
    """A guest that runs, beside servers of SMB and NFS."""

    shared: Path
    """A folder that is /mnt/shared in the guest."""
    samba: samba.Samba
    export: Path
    """What the export /export holds."""
    nfs: subprocess.Popen
    process: subprocess.Popen
    asked: list[str] = field(default_factory=list)

    def run(self, script: str, **environment: str) -> str:
        """Run a script in bash in the guest to its end, which must be a good one; return stdout."""
        return self.answer(self.ask(script, **environment))

    def ask(self, script: str, **environment: str) -> str:
        """Have the guest begin with a script; return a name for its answer."""
        name = f"{len(self.asked):02}"
        self.asked.append(script)
        new = self.shared / f"{name}.new"
        new.write_text(json.dumps({"script": script, "environment": environment}))
        new.rename(self.shared / f"{name}.asked")
        return name

    def answer(self, name: str) -> str:
        """Wait for the end of a script; return its stdout."""
        answer = self.shared / f"{name}.answer"
        self.until(answer.exists, f"the answer to {self.asked[int(name)]}")
        found = json.loads(answer.read_text())
        assert found["code"] == 0, f"{found['out']}\n{found['wrong']}"
        return found["out"]

    def until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait for something while the guest lives."""
        deadline = time.monotonic() + SECONDS
        while not condition():
            assert self.process.poll() is None, "the guest has ended"
            assert time.monotonic() < deadline, f"waited for {what}"
            time.sleep(0.05)


def missing() -> str | None:
    """Return why there can be no guest here; None if there can."""
    for program, package in _PROGRAMS.items():
        if shutil.which(program) is None:
            return f"{program} is not installed: apt install {package}"
    if os.geteuid():
        return "a network of one's own takes root"
    return None if os.access("/dev/net/tun", os.R_OK | os.W_OK) else "/dev/net/tun can't be used"


@contextmanager
def booted(folder: Path) -> Iterator[Guest]:
    """Boot a guest, in a network of its own with the servers."""
    if reason := missing():
        pytest.skip(reason)
    name = f"bai-{secrets.token_hex(4)}"
    shared, export = folder / "shared", folder / "export"
    shared.mkdir()
    export.mkdir()
    within = ["ip", "netns", "exec", name]
    with ExitStack() as stack:
        _run("ip", "netns", "add", name)
        stack.callback(_run, "ip", "netns", "del", name)
        for action in (
            "link set lo up",
            "tuntap add tap0 mode tap",
            f"addr add {SERVER}/24 dev tap0",
            "link set tap0 up",
        ):
            _run("ip", "-n", name, *action.split())
        smb = stack.enter_context(samba.served(folder / "smb", SERVER, 445, within))
        nfs = stack.enter_context(_exported(folder / "nfs", export, within))
        init = folder / "init"
        own = ["-I", "-S", str(Path(__file__).with_name("guest_loop.py")), "/mnt/shared"]
        init.write_text(
            _INIT.format(
                shared=shared,
                modules=_MODULES,
                guest=_GUEST,
                python=sys.executable,
                own=shlex.join(own),
            )
        )
        init.chmod(0o755)
        process = stack.enter_context(_linux(folder, init, within))
        guest = Guest(shared, smb, export, nfs, process)
        yield guest


@contextmanager
def _exported(folder: Path, export: Path, within: Sequence[str]) -> Iterator[subprocess.Popen]:
    folder.mkdir()
    configuration = folder / "ganesha.conf"
    configuration.write_text(_CONFIGURATION.format(server=SERVER, folder=export, own=folder))
    command = ["ganesha.nfsd", "-F", "-f", configuration, "-L", folder / "log"]
    with subprocess.Popen([*within, *command, "-p", folder / "number"]) as process:
        try:
            samba.await_listener(SERVER, 2049, process, within)
            yield process
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_SECONDS)
            process.kill()


@contextmanager
def _linux(folder: Path, init: Path, within: Sequence[str]) -> Iterator[subprocess.Popen]:
    command = [
        *("linux.uml", "mem=384M", "rootfstype=hostfs", "rootflags=/", "ro", f"init={init}"),
        *("con=null", "con0=null,fd:1", "quiet"),
        "vec0:transport=tap,ifname=tap0,depth=128,gro=1",
    ]
    with (folder / "console").open("wb") as said:
        process = subprocess.Popen(
            [*within, *command],
            env=os.environ | {"TMPDIR": "/dev/shm"},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    with process:
        try:
            yield process
        finally:
            (folder / "shared/end").touch()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_SECONDS)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 9)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
