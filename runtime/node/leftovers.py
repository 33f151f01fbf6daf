"""What a run has started on this machine, found by every handle there is.

A process may leave its parents and clear its environment, and supervisor and guardian may be
killed together. So a run has a control group, where one can be made; else a record of its
processes, which its supervisor keeps while it lives. Both are files of the attempt's folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bai.runtime.jobs.paths import SCRIPTS
from bai.runtime.mounts.mounted import detach_below
from bai.runtime.node import cgroups, processes
from bai.runtime.node.container_record import remove_recorded

RECORD_SECONDS: Final = 1.0
"""How often processes are recorded, where there is no control group."""

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What was left of a run, and ended."""

    complete: bool
    """Whether it is certain that nothing of the run is left here."""
    survivors: tuple[int, ...] = ()
    """Process ids of what even SIGKILL does not end."""


class Enclosure:
    """What this process starts for a run, kept findable; entered by the run's supervisor."""

    def __init__(self, folder: Path, run: int, name: str) -> None:
        """Enclose this process, and all that it starts from now on.

        Args:
            folder: the attempt's folder.
            run: the run's number.
            name: what no other run on this machine is called.
        """
        self._folder, self._run = folder, run
        self._recorded: dict[int, int] = {}
        self._looked = 0.0
        self.group = cgroups.make(f"bai-{name}-{run}")
        if self.group and not self._enter(self.group):
            cgroups.leave(self.group)
            self.group = None

    def _enter(self, group: Path) -> bool:
        link = _group_link(self._folder, self._run)
        try:
            link.unlink(missing_ok=True)
            # Before it holds anything, so that nothing is in it that is not found.
            link.symlink_to(group)
        except OSError:
            return False
        return cgroups.enter(group)

    def record(self) -> None:
        """Record what runs below this process, now and then; nothing with a control group."""
        if self.group or time.monotonic() - self._looked < RECORD_SECONDS:
            return
        found = {pid: processes.start_time(pid) for pid in processes.descendants(os.getpid())}
        known = {pid: since for pid, since in self._recorded.items() if _is_same(pid, since)}
        current = known | {pid: since for pid, since in found.items() if since is not None}
        self._looked = time.monotonic()
        if current != self._recorded:
            self._recorded = current
            # A full disk: the marker is still there.
            with contextlib.suppress(OSError):
                written = _record(self._folder, self._run).with_suffix(".new")
                written.write_text(json.dumps([_boot(), sorted(current.items())]))
                written.replace(_record(self._folder, self._run))

    def leave(self) -> None:
        """Leave the control group, when nothing else is in it."""
        if self.group:
            cgroups.leave(self.group)
        with contextlib.suppress(OSError):
            _record(self._folder, self._run).unlink(missing_ok=True)
        remove_group(self._folder, self._run)


def remove_group(folder: Path, run: int) -> None:
    """Remove the control group of a run, if nothing is in it any more: agents end last."""
    if group := _group_of(folder, run):
        with contextlib.suppress(OSError):
            cgroups.remove(group)
    with contextlib.suppress(OSError):
        if not _group_of(folder, run):
            _group_link(folder, run).unlink(missing_ok=True)


def end_leftovers(
    folder: Path, run: int, marker: str, find: Callable[[], Iterable[int]] = tuple
) -> Leftovers:
    """End everything of a run on this machine, by all handles, and take its mounts away.

    Args:
        folder: the attempt's folder.
        run: the run's number.
        marker: what marks environments: `NAME=value`.
        find: returns more processes that belong to it: a guardian's descendants.
    """
    group = _group_of(folder, run)
    recorded = _recorded(folder, run)

    def left() -> list[int]:
        roots = {pid for pid, since in recorded.items() if _is_same(pid, since)}
        found = {*processes.marked(marker), *find(), *roots, *processes.descendants(*roots)}
        if group:
            found.update(cgroups.members(group))
        found.discard(os.getpid())
        return sorted(found)

    survivors = tuple(processes.end(left))
    # Those of a daemon are nobody's descendants; of others, what is on the disk is left.
    no_containers = remove_recorded(folder, run, folder / SCRIPTS)
    detach_below(folder)
    if group:
        with contextlib.suppress(OSError):
            cgroups.remove(group)
    is_complete = group is not None and not survivors and no_containers
    return Leftovers(is_complete, survivors)


def _group_link(folder: Path, run: int) -> Path:
    return folder / f"cgroup-{run}"


def _record(folder: Path, run: int) -> Path:
    return folder / f"processes-{run}.json"


def _group_of(folder: Path, run: int) -> Path | None:
    """Return the run's control group, if it was made here since the last boot and is not gone."""
    try:
        group = _group_link(folder, run).readlink()
    except OSError:
        return None
    return group if group.is_dir() else None


def _recorded(folder: Path, run: int) -> dict[int, int]:
    """Return the recorded processes and their start times; none of another boot or host."""
    try:
        boot, found = json.loads(_record(folder, run).read_text())
        return dict(found) if boot == _boot() else {}
    except (OSError, ValueError, TypeError):
        return {}


def _boot() -> str:
    """Return what tells this boot of this machine from others."""
    with contextlib.suppress(OSError):
        return _BOOT.read_text().strip()
    return socket.gethostname()


def _is_same(pid: int, since: int) -> bool:
    return processes.start_time(pid) == since
