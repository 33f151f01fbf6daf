"""One attempt, from its claim to its recorded end."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bai.runtime.engines import processes
from bai.runtime.engines.contract import environment, node_id
from bai.runtime.engines.gang import Gang, Member, Outcome
from bai.runtime.engines.launcher import Rendezvous, interpreter, members
from bai.runtime.engines.layout import SETTINGS_FILE, Layout
from bai.runtime.errors import RuntimeFailure, StateError
from bai.runtime.mounts.volumes import mount, unmount
from bai.runtime.provider.live import ExecutionState, JobError, Phase
from bai.runtime.provider.store import Store
from bai.runtime.toolkits.registry import launch as plan_launch
from bai.runtime.toolkits.registry import toolkit_keys
from bai.runtime.toolkits.task import Launch, Nodes, Style, placement
from bai.specs.durations import MAX_SECONDS, seconds

POLL_SECONDS = 0.1
"""How often a queued attempt looks for free nodes."""

RECORD_SECONDS = 600
"""How long to try to record the end of an attempt, on a full disk for one."""

_MPI_FAILED = re.compile(r"Process name: \[\[\d+,\d+\],(\d+)\]")


@dataclass(frozen=True, slots=True)
class End:
    """What there is to record."""

    state: ExecutionState
    exit_code: int | None = None
    errors: tuple[JobError, ...] = ()


def run_attempt(state: Path, uuid: str) -> None:
    """Claim an attempt and run it to its end; do nothing if it is claimed already."""
    store = Store(state)
    if not store.claim(uuid, os.getpid()):
        return
    run = Run(store, state, uuid)
    signal.signal(signal.SIGTERM, run.ask_to_end)
    _record(store, uuid, run.run())


def _record(store: Store, uuid: str, end: End) -> None:
    deadline = time.monotonic() + RECORD_SECONDS
    while True:
        try:
            store.finish(uuid, end.state, end.exit_code, end.errors)
        except StateError:
            if time.monotonic() > deadline:
                raise
            time.sleep(1)
        else:
            return


def _failed(code: str, message: str, exit_code: int | None = None, **details: str) -> End:
    return End(ExecutionState.FAILED, exit_code, (JobError(code, message, details),))


class Run:
    """The run of one attempt."""

    def __init__(self, store: Store, state: Path, uuid: str) -> None:
        """Read what the attempt needs from the store and its folder."""
        self._store = store
        self._uuid = uuid
        self._attempt = store.attempt(uuid)
        settings = json.loads((state / "jobs" / uuid / SETTINGS_FILE).read_text())
        self._slots: int = settings["slots"]
        self._mpirun: bool = settings["launcher"] == "mpirun"
        self._python: str | None = settings["python"]
        self._layout = Layout.of_attempt(state, self._attempt)
        self._properties: dict[str, Any] = settings["job"]["properties"]
        self._nodes: int = self._properties["nodeCount"]
        self._asked_to_end = False
        self._deadline = float("inf")

    def ask_to_end(self, *_: object) -> None:
        """Handle SIGTERM: end the job as if it had been cancelled."""
        self._asked_to_end = True

    def run(self) -> End:
        """Run the attempt and return how it ended."""
        try:
            if not self._allocate():
                return self._terminated()
            limit = self._properties.get("constraints", {}).get("maxWallClockTime")
            self._deadline = time.monotonic() + (seconds(limit) if limit else MAX_SECONDS)
            return self._run_allocated()
        except RuntimeFailure as error:
            return _failed("JobLaunchFailed", str(error))
        except OSError as error:
            place = f" ({error.filename})" if error.filename else ""
            return _failed("JobLogsFailed", f"Can't write the job's files: {error.strerror}{place}")
        finally:
            processes.end(lambda: processes.descendants(os.getpid()))

    def _allocate(self) -> bool:
        """Wait for the nodes; False if the attempt was cancelled before it got them."""
        while self._store.allocate(self._uuid, self._slots) is None:
            if self._stop_reason():
                return False
            time.sleep(POLL_SECONDS)
        return True

    def _run_allocated(self) -> End:
        layout = self._layout
        self._store.set_phase(self._uuid, Phase.MOUNTING)
        cluster_volumes, job_volumes = layout.cluster_volumes(), layout.job_volumes()
        mount(layout.mount_root, cluster_volumes)
        mount(layout.job_mount_root, job_volumes)
        try:
            self._make_directories()
            self._log("mounted")
            return self._prepare_and_launch()
        finally:
            self._log("unmounting")
            unmount(layout.job_mount_root, job_volumes)
            unmount(layout.mount_root, cluster_volumes)

    def _prepare_and_launch(self) -> End:
        layout = self._layout
        environments = [
            environment(layout, node, self._python, self._nodes) for node in range(self._nodes)
        ]
        launch = plan_launch(
            self._properties,
            Nodes(self._nodes, base_port=_free_port()),
            mpirun=self._mpirun,
        )
        rendezvous = self._rendezvous(launch, environments[0])
        try:
            if failure := self._prepare(environments, [rendezvous.pid] if rendezvous else []):
                return failure
            # The server has been starting while the preparation ran.
            ranks = rendezvous.ranks() if rendezvous else None
            self._store.set_phase(self._uuid, Phase.RUNNING)
            self._log("running")
            outcome = self._run_gang(Gang(), members(launch, layout, environments, ranks))
        finally:
            if rendezvous:
                rendezvous.close()
        return self._end(outcome, launch)

    def _rendezvous(self, launch: Launch, environment: dict[str, str]) -> Rendezvous | None:
        if launch.style is not Style.HOROVOD:
            return None
        return Rendezvous(interpreter(launch, environment), launch, environment)

    def _prepare(self, environments: list[dict[str, str]], spared: list[int]) -> End | None:
        """Run the preparation on all nodes at once; return the end if it fails."""
        command = self._properties.get("jobPreparation", {}).get("commandLine")
        if not command:
            return None
        self._store.set_phase(self._uuid, Phase.PREPARING)
        self._log("preparing")
        found = [
            Member(
                name=node_id(node),
                argv=["bash", "-c", command],
                environment=environments[node],
                directory=self._layout.temp(node),
                stdout=self._layout.stdouterr / f"stdout-job_prep{self._suffix(node)}.txt",
                stderr=self._layout.stdouterr / f"stderr-job_prep{self._suffix(node)}.txt",
            )
            for node in range(self._nodes)
        ]
        # What a preparation leaves running in the background is ended with it.
        outcome = self._run_gang(Gang(spared), found)
        if outcome.stopped:
            return self._stopped(outcome.stopped)
        if outcome.exit_code:
            code, node = outcome.exit_code, outcome.failed or ""
            message = f"Job preparation failed on {node} with exit code {code}"
            return _failed("JobPreparationFailed", message, code, node=node)
        return None

    def _run_gang(self, gang: Gang, found: list[Member]) -> Outcome:
        try:
            for member in found:
                gang.start(member)
        except BaseException:
            gang.run(lambda: "launch failed")
            raise
        return gang.run(self._stop_reason)

    def _end(self, outcome: Outcome, launch: Launch) -> End:
        self._log(f"ended with exit code {outcome.exit_code}")
        if outcome.stopped:
            return self._stopped(outcome.stopped)
        if outcome.exit_code == 0:
            return End(ExecutionState.SUCCEEDED, 0)
        failed = outcome.failed or ""
        if launch.style is Style.MPI:
            failed = self._mpi_failure() or failed
        message = f"Job failed with non-zero exit code {outcome.exit_code}: {failed} failed first"
        return _failed("JobFailed", message, outcome.exit_code, failedFirst=failed)

    def _mpi_failure(self) -> str | None:
        with contextlib.suppress(OSError):
            text = (self._layout.stdouterr / "stderr.txt").read_text(errors="replace")
            if match := _MPI_FAILED.search(text):
                return f"rank {match[1]}"
        return None

    def _stop_reason(self) -> str | None:
        if self._asked_to_end or self._store.cancel_requested(self._uuid):
            return "cancelled"
        return "timed out" if time.monotonic() > self._deadline else None

    def _stopped(self, reason: str) -> End:
        if reason == "timed out":
            limit = self._properties.get("constraints", {}).get("maxWallClockTime", "P7D")
            return _failed("JobTimedOut", f"The job ran longer than its time limit {limit}")
        return self._terminated()

    def _terminated(self) -> End:
        return _failed("JobTerminated", "The specified job has been terminated by the user")

    def _make_directories(self) -> None:
        layout = self._layout
        layout.stdouterr.mkdir(parents=True, exist_ok=True)
        layout.shared_temp.mkdir(parents=True, exist_ok=True)
        for path in layout.outputs.values():
            path.mkdir(parents=True, exist_ok=True)
        for node in range(self._nodes):
            layout.temp(node).mkdir(parents=True, exist_ok=True)
        where = placement(self._process_count(), self._nodes)
        slots = [sum(node == n for node, _ in where) for n in range(self._nodes)]
        lines = [f"127.0.0.1 slots={count} # {node_id(n)}\n" for n, count in enumerate(slots)]
        layout.host_file.write_text("".join(lines))

    def _process_count(self) -> int:
        (toolkit,) = toolkit_keys(self._properties)
        return int(self._properties[toolkit].get("processCount") or self._nodes)

    def _suffix(self, node: int) -> str:
        return f"-{node_id(node)}" if self._nodes > 1 else ""

    def _log(self, message: str) -> None:
        """Append to the execution log of every node."""
        line = f"{datetime.now(UTC).isoformat(timespec='milliseconds')} {message}\n"
        with contextlib.suppress(OSError):
            for node in range(self._nodes):
                path = self._layout.stdouterr / f"execution{self._suffix(node)}.log"
                with path.open("a") as file:
                    file.write(line)


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
