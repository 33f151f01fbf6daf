"""The driver of what the kernel itself mounts, as root: shares by its CIFS client, NFS exports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

from bai.runtime.errors import LaunchError, UploadError
from bai.runtime.mounts import kernel_call
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.mounted import detach_below, mounted_below

MOUNT_SECONDS: Final = 30.0
"""How long a mount may take."""
SILENT_SECONDS: Final = 30.0
"""How long a server may be silent while what was written is waited for."""
_LOOK_SECONDS: Final = 5.0
_END_SECONDS: Final = 2.0
_SYS_ADMIN: Final = 1 << 21
_ALL_USERS: Final = "4294967295"


@dataclass(frozen=True, slots=True)
class FileSystem:
    """A file system of other machines that a kernel may have."""

    name: str
    """What /proc/filesystems calls it."""
    module: str
    """The kernel module that has it."""
    plural: str
    """What messages call what it mounts."""
    way: str
    """What to do where the kernel has it not."""


@dataclass(frozen=True, slots=True)
class Call:
    """A mount, as kernel_call.py is asked for it."""

    filesystem: str
    source: str
    path: str
    host: str
    """Name or address of the server."""
    address: str
    """The option that takes the server's address."""
    variants: tuple[str, ...]
    """Options that say how to talk, the best first: servers do not have all of them."""
    options: tuple[str, ...] = field(default=(), repr=False)
    """Others; a secret may be one."""


def obstacle(filesystem: FileSystem) -> tuple[str, str] | None:
    """Return why this machine's kernel can't mount for bai, and the way out; None if it can."""
    plural = filesystem.plural
    if not _has(filesystem):
        what = f"{plural} are mounted by the kernel, and this one has no {filesystem.name}"
        return what, filesystem.way
    if not may_mount():
        return f"{plural} are mounted by the kernel, for root alone", "run bai as root"
    return None


def _has(filesystem: FileSystem) -> bool:
    """Return whether the kernel has a file system, or a module with it, which it loads itself."""
    with suppress(OSError):
        known = Path("/proc/filesystems").read_text("utf-8").split()
        if filesystem.name in known:
            return True
    modules = Path("/lib/modules") / os.uname().release
    for listing in ("modules.dep", "modules.builtin"):
        with suppress(OSError):
            if f"/{filesystem.module}.ko" in (modules / listing).read_text("utf-8"):
                return True
    return False


def may_mount() -> bool:
    """Return whether this process may mount what is on other machines."""
    try:
        status = Path("/proc/self/status").read_text("utf-8")
        # Root of a container without all users has the capability, and yet may not.
        users = Path("/proc/self/uid_map").read_text("utf-8").split()
    except OSError:
        return False
    held = next(line for line in status.splitlines() if line.startswith("CapEff:"))
    return bool(int(held.split()[1], 16) & _SYS_ADMIN) and users[-1] == _ALL_USERS


class KernelDriver:
    """Shows what one file system of the kernel's reaches; one for each supervisor or agent."""

    pids: ClassVar[list[int]] = []
    """Nothing but the kernel serves a mount."""

    def __init__(
        self,
        filesystem: FileSystem,
        call: Callable[[Mount], Call],
        words: Mapping[int, str],
    ) -> None:
        """Begin without mounts.

        Args:
            filesystem: what mounts.
            call: returns how it is asked for a mount.
            words: number of an error -> what it means for such a mount.
        """
        self._filesystem = filesystem
        self._call = call
        self._words = words

    def check(self, mount: Mount) -> str | None:
        """Return why this machine can't mount."""
        if found := obstacle(self._filesystem):
            return f"can't mount {mount.name}: {': '.join(found)}"
        return None

    def mount(self, mount: Mount) -> None:
        """Have the kernel mount.

        Raises:
            LaunchError: it does not, or not in time.
            OSError: it can't be asked.
        """
        path = Path(mount.path)
        detach_below(path)
        path.mkdir(parents=True, exist_ok=True)
        answer = _asked({"action": "mount", **asdict(self._call(mount))}, MOUNT_SECONDS)
        if answer is None:
            why = f"no answer in {MOUNT_SECONDS:.0f} s"
        elif not answer:
            return
        else:
            why = self._words.get(answer["number"]) or answer["reason"]
        detach_below(path)
        with suppress(OSError):
            path.rmdir()
        raise LaunchError(f"can't mount {mount.name}, {mount.source}: {why}")

    def unmount(self, mount: Mount) -> None:
        """Wait until all that was written has arrived, as long as the server answers, and unmount.

        Raises:
            UploadError: it has not arrived, as far as is known.
        """
        path = Path(mount.path)
        if not mounted_below(path):
            return
        try:
            if why := _unmounted(mount):
                raise UploadError(
                    f"what the job wrote to {mount.name}, {mount.source}, "
                    f"may not have arrived: {why}"
                )
        finally:
            if detach_below(path, force=True):
                with suppress(OSError):
                    path.rmdir()


def _unmounted(mount: Mount) -> str | None:
    """Unmount; return why what was written may not have arrived, None if it has."""
    waited = _Waited({"action": "unmount", "path": mount.path})
    heard = time.monotonic()
    while (answer := waited.answer(_LOOK_SECONDS)) is None:
        if _asked({"action": "look", "path": mount.path}, _LOOK_SECONDS) == {}:
            heard = time.monotonic()
        if time.monotonic() - heard > SILENT_SECONDS:
            waited.give_up()
            return f"no answer for {SILENT_SECONDS:.0f} s"
    return answer.get("reason")


def _asked(asked: Mapping[str, Any], seconds: float) -> dict[str, Any] | None:
    """Return the answer of kernel_call.py; None if there is none in time."""
    waited = _Waited(asked)
    answer = waited.answer(seconds)
    if answer is None:
        waited.give_up()
    return answer


class _Waited:
    """A kernel_call.py that was asked, and may never answer."""

    def __init__(self, asked: Mapping[str, Any]) -> None:
        self._asked: str | None = f"{json.dumps(asked)}\n"
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", kernel_call.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def answer(self, seconds: float) -> dict[str, Any] | None:
        """Return the answer; None if there is none in this time."""
        asked, self._asked = self._asked, None
        try:
            said, wrong = self._process.communicate(asked, timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        if said.endswith("}\n"):
            answer: dict[str, Any] = json.loads(said)
            return answer
        lines = wrong.strip().splitlines()
        return {"number": 0, "reason": lines[-1] if lines else "the call was ended"}

    def give_up(self) -> None:
        """End it, unless even that does not."""
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
