"""Samba, a real SMB server, in place of Azure Files: of that no emulator exists."""

import os
import random
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

SECONDS = 60
_CONFIGURATION = """[global]
server role = standalone server
interfaces = {address}
bind interfaces only = yes
smb ports = {port}
server min protocol = SMB3_00
server smb encrypt = required
map to guest = never
passdb backend = tdbsam
username map = {own}/users
pid directory = {own}
lock directory = {own}
state directory = {own}
cache directory = {own}
private dir = {own}
log file = {own}/log
ncalrpc dir = {own}/rpc
disable netbios = yes
load printers = no

[data]
path = {data}
read only = no
"""


@dataclass(frozen=True)
class Samba:
    """A server that runs, with the share `data` of the account `vision`."""

    address: str
    port: int
    data: Path
    """What is in the share."""
    process: subprocess.Popen
    key = "a2V5IG9mIHRoZSBhY2NvdW50Lw+/=="

    @property
    def endpoint(self) -> str:
        """What bai.toml calls it."""
        return f"smb://{self.address}:{self.port}"


def missing() -> str | None:
    """Return why it can't be started here; None if it can."""
    if shutil.which("smbd") is None:
        return "smbd is not installed: apt install samba"
    return "Samba is started as root" if os.geteuid() else None


@contextmanager
def served(
    folder: Path, address: str = "127.0.0.1", port: int | None = None, within: Sequence[str] = ()
) -> Iterator[Samba]:
    """Serve a share from a folder.

    Args:
        folder: holds the server's own files, and the share.
        address: where it listens.
        port: its port; by default one that is free.
        within: a command that runs another one, where the server is to be.
    """
    if reason := missing():
        pytest.skip(reason)
    own, data = folder / "samba", folder / "data"
    own.mkdir(parents=True)
    data.mkdir()
    (own / "users").write_text("root = vision\n")
    configuration = own / "smb.conf"
    port = port or _free_port()
    configuration.write_text(
        _CONFIGURATION.format(address=address, port=port, own=own, data=data), "utf-8"
    )
    subprocess.run(
        ["pdbedit", "-s", configuration, "-a", "-t", "-u", "root"],
        input=f"{Samba.key}\n{Samba.key}\n",
        text=True,
        check=True,
        capture_output=True,
    )
    command = [*within, "smbd", "-s", configuration, "--foreground", "--no-process-group"]
    with (own / "said").open("wb") as said:
        # In the end it ends all processes of its group.
        process = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)
    with process:
        try:
            await_listener(address, port, process, within)
            yield Samba(address, port, data, process)
        finally:
            process.terminate()


def _free_port() -> int:
    """Return a free port of those that no connection gets of itself."""
    for port in random.sample(range(15000, 30000), 100):
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


def await_listener(
    address: str, port: int, process: subprocess.Popen, within: Sequence[str]
) -> None:
    """Wait until somebody listens."""
    ask = [*within, "bash", "-c", f"exec 3<>/dev/tcp/{address}/{port}"]
    deadline = time.monotonic() + SECONDS
    while subprocess.run(ask, check=False, capture_output=True).returncode:
        assert process.poll() is None, f"{process.args[0]} has ended"
        assert time.monotonic() < deadline, f"nobody listens at {address}:{port}"
        time.sleep(0.05)
