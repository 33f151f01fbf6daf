"""Setup tasks of nodes, each run by a process of its own on this machine.

A node that is being prepared has a folder `nodes/UUID` in the state folder; what the task gets of
the command that puts its cluster is in `clusters/UUID`.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bai.runtime.engines.base import Condition
from bai.runtime.engines.local import supervised
from bai.runtime.engines.local.settings import EngineSettings
from bai.runtime.errors import LaunchError
from bai.runtime.jobs.journal import ask_to_stop, claim, reported_end
from bai.runtime.jobs.records import End, ExecutionState, StopReason
from bai.runtime.jobs.setup_paths import nodes_folder
from bai.runtime.jobs.setup_records import PreparingNode
from bai.runtime.jobs.setup_spec import SetupSpec
from bai.runtime.jobs.submitted import Submitted, has_submitted, write_submitted
from bai.runtime.mounts.mounted import remove_folder
from bai.runtime.node.environment import NODE_MARKER
from bai.runtime.node.leftovers import end_leftovers
from bai.runtime.node.own_python import own_python
from bai.runtime.scheduling.preparation import TaskReport, TaskState

_STATES = {
    Condition.ALIVE: TaskState.ALIVE,
    Condition.NOT_STARTED: TaskState.NOT_STARTED,
    Condition.LOST: TaskState.LOST,
}


@dataclass(frozen=True, slots=True)
class LocalSetupTasks:
    """Runs the setup tasks of a state folder's clusters."""

    state: Path
    settings: EngineSettings
    guardian: str
    """The module whose `main()` runs a setup task."""
    runs: bool
    """Whether setup tasks run here."""
    place: str
    """Where one runs, for messages."""

    def accept(self, cluster_uuid: str, submitted: Submitted) -> None:
        """Keep what a cluster's setup task got, in place of what was kept before.

        Raises:
            OSError: it can't be written.
        """
        write_submitted(self._cluster_folder(cluster_uuid), submitted)

    def has_accepted(self, cluster_uuid: str) -> bool:
        """Return whether there is something that `accept` kept."""
        return has_submitted(self._cluster_folder(cluster_uuid))

    def forget(self, cluster_uuid: str) -> None:
        """Remove what `accept` kept, if it is there."""
        shutil.rmtree(self._cluster_folder(cluster_uuid), ignore_errors=True)

    def launch(self, node: PreparingNode, cluster: Mapping[str, Any]) -> None:
        """Start the newest run of a node's setup task, and return.

        Raises:
            LaunchError: it can't be started.
        """
        settings, folder = self.settings, self._folder(node.uuid)
        accounts = settings.storage.accounts(self.state)
        servers = settings.storage.file_servers(self.state)
        spec = SetupSpec(
            uuid=node.uuid,
            cluster=node.cluster,
            cluster_uuid=node.cluster_uuid,
            run=node.run,
            node=node.number,
            wire=cluster,
            folder=str(folder),
            submitted=str(self._cluster_folder(node.cluster_uuid)),
            storage=str(accounts.root),
            accounts=tuple(accounts.real.values()),
            file_servers=str(servers.root),
            mapped=tuple(servers.mapped.values()),
            python=settings.python,
            mount_commands=settings.unmanaged_mounts,
        )
        # The guardian takes a keeper step in the end, with the settings of this context.
        keeper = json.dumps([str(self.state), settings.name, settings.dumped()])
        try:
            folder.mkdir(parents=True, exist_ok=True)
            command = [*own_python(self.guardian), str(folder), str(node.run), keeper]
            with supervised.locked(folder) as lock:
                if lock is not None:
                    spec.write()
                    supervised.start(folder, command, lock)
        except OSError as error:
            raise LaunchError(f"can't start its process: {error.strerror}") from None

    def revoke(self, node: PreparingNode) -> bool:
        """Make sure that the newest run never starts; False if a process has claimed it.

        Raises:
            OSError: the node's folder can't be written.
        """
        folder = self._folder(node.uuid)
        folder.mkdir(parents=True, exist_ok=True)
        return claim(folder, node.run)

    def observe(self, nodes: Iterable[PreparingNode]) -> Mapping[str, TaskReport]:
        """Return the uuid of each node -> report on the newest run of its setup task."""
        return {node.uuid: self._observe(node) for node in nodes}

    def _observe(self, node: PreparingNode) -> TaskReport:
        folder = self._folder(node.uuid)
        with suppress(FileNotFoundError), supervised.locked(folder) as lock:
            if lock is not None and (end := _end(folder, node.run)):
                is_ready = end.state is ExecutionState.SUCCEEDED
                return TaskReport(TaskState.READY if is_ready else TaskState.FAILED, end.errors)
        seen = supervised.observe(folder, node.run, _marker(node.uuid))
        return TaskReport(_STATES[seen.condition], message=seen.message)

    def kept(self) -> Collection[str]:
        """Return the uuids of nodes that have a folder."""
        try:
            return os.listdir(nodes_folder(self.state))  # noqa: PTH208 - names
        except OSError:
            return ()

    def remove(self, uuid: str) -> bool:
        """End a node's setup task, if it runs, and remove its folder.

        Returns:
            Whether it is gone. A task that runs is asked to end.

        Raises:
            OSError: it can't be asked, on a full disk.
        """
        folder = self._folder(uuid)
        with suppress(FileNotFoundError), supervised.locked(folder) as lock:
            runs = [int(path.stem.removeprefix("run-")) for path in folder.glob("run-*.json")]
            if lock is None:
                for run in runs:
                    ask_to_stop(folder, run, StopReason.CANCEL)
                return False
            for run in runs:
                if _end(folder, run) is None:
                    end_leftovers(folder, run, _marker(uuid))
            # A process that has not claimed its run yet finds no folder.
            remove_folder(folder)
        return True

    def _folder(self, uuid: str) -> Path:
        return nodes_folder(self.state) / uuid

    def _cluster_folder(self, uuid: str) -> Path:
        return self.state / "clusters" / uuid


def this_machine() -> str:
    """Return where setup tasks run on this machine, and as which user, for messages."""
    try:
        name = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        name = f"user {os.geteuid()}"
    return f"on this machine, as {name}"


def _marker(uuid: str) -> str:
    return f"{NODE_MARKER}={uuid}"


def _end(folder: Path, run: int) -> End | None:
    """Return the end that a run has reported; None if none, or nothing that is one."""
    try:
        return reported_end(folder, run)
    except (OSError, ValueError, KeyError, TypeError):
        return None
