"""A control group of a run's own (cgroup v2): no process can leave it unnoticed."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_SELF = Path("/proc/self")
_PROCESSES = "cgroup.procs"


def make(name: str, process: Path = _SELF) -> Path | None:
    """Make a control group below the one of a process, as far as that is allowed here.

    Args:
        name: what it is called; if there is one already, that is taken.
        process: the process's folder below /proc.

    Returns:
        Its folder; None where none can be made: without cgroup v2, or without the right to it.
    """
    try:
        own = _own(process)
        if own is None:
            return None
        group = own / name
        group.mkdir(exist_ok=True)
    except OSError:
        return None
    return group


def enter(group: Path) -> bool:
    """Move this process into a group, with all that it starts from now on; False if it can't."""
    try:
        (group / _PROCESSES).write_text("0")
    except OSError:
        return False
    return True


def leave(group: Path) -> None:
    """Move this process back, and remove the group if it is empty then."""
    with contextlib.suppress(OSError):
        (group.parent / _PROCESSES).write_text("0")
        remove(group)


def members(group: Path) -> list[int]:
    """Return the processes in a group and in those below it; none if it is gone.

    Raises:
        OSError: it can't be read.
    """
    found = []
    for folder in _folders(group):
        with contextlib.suppress(FileNotFoundError):
            found += [int(pid) for pid in (folder / _PROCESSES).read_text().split()]
    # 0 stands for processes that can't be seen from here.
    return [pid for pid in found if pid]


def remove(group: Path) -> None:
    """Remove a group without processes; one that is gone is no error.

    Raises:
        OSError: it still has processes.
    """
    for folder in reversed(_folders(group)):
        with contextlib.suppress(FileNotFoundError):
            folder.rmdir()


def _folders(group: Path) -> list[Path]:
    return [Path(folder) for folder, _, _ in os.walk(group)]


def _own(process: Path) -> Path | None:
    """Return the folder of a process's group; None without cgroup v2."""
    lines = (process / "cgroup").read_text().splitlines()
    path = next((line[3:] for line in lines if line.startswith("0::")), None)
    if path is None:
        return None
    for line in (process / "mountinfo").read_text().splitlines():
        fields, _, more = line.partition(" - ")
        if more.startswith("cgroup2 "):
            root, mounted = fields.split()[3:5]
            if path == root or path.startswith(root.rstrip("/") + "/"):
                return Path(mounted) / path[len(root.rstrip("/")) :].lstrip("/")
    return None
