"""One run of an attempt, from its mounts to its end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from collections.abc import Sequence
from typing import Final

from bai.runtime.errors import LaunchError
from bai.runtime.file_limit import way_out
from bai.runtime.jobs.journal import Journal
from bai.runtime.jobs.paths import AttemptPaths
from bai.runtime.jobs.records import (
    End,
    ExecutionState,
    Phase,
    StopReason,
    failed,
    node_removed,
    requeued,
    terminated,
)
from bai.runtime.jobs.run_spec import RunSpec
from bai.runtime.jobs.submitted import Submitted
from bai.runtime.mounts.user_folders import found_files, record_kept
from bai.runtime.mounts.volumes import mount, unmount
from bai.runtime.node import processes
from bai.runtime.node.environment import (
    ExecutionLog,
    environments,
    make_directories,
    node_id,
    suffix,
)
from bai.runtime.supervisor.gang import TICK_SECONDS, Gang, Member, Outcome
from bai.runtime.supervisor.launcher import hosts, interpreter, members
from bai.runtime.supervisor.rendezvous_server import START_SECONDS, RendezvousServer
from bai.runtime.toolkits.registry import launch as plan_launch
from bai.runtime.toolkits.registry import toolkit_keys
from bai.runtime.toolkits.task import Launch, Nodes, Style, placement
from bai.specs.durations import MAX_SECONDS, seconds
from bai.specs.errors import RuntimeFailure

_TIMED_OUT = "timed out"
_WORDS: Final = {
    StopReason.CANCEL: "cancelled",
    StopReason.REQUEUE: "queued again",
    StopReason.RESIZE: "nodes removed",
}
"""What execution logs say."""


def run_attempt(spec: RunSpec, submitted: Submitted, journal: Journal) -> End:
    """Run an attempt on its nodes, and return how it ended; SIGTERM cancels it."""
    run = Run(spec, submitted, journal)
    signal.signal(signal.SIGTERM, run.ask_to_end)
    return run.run()


class Run:
    """One run of an attempt."""

    def __init__(self, spec: RunSpec, submitted: Submitted, journal: Journal) -> None:
        """Prepare a run, which reports to a journal; nothing is written yet."""
        self._spec = spec
        self._journal = journal
        self._paths = AttemptPaths.of_run(spec)
        self._properties = spec.properties
        self._submitted = submitted
        self._nodes = len(spec.nodes)
        self._log = ExecutionLog(self._paths.stdouterr, self._nodes)
        self._asked_to_end = False
        self._deadline = float("inf")

    def ask_to_end(self, *_: object) -> None:
        """Handle SIGTERM: end the job as if it had been cancelled."""
        self._asked_to_end = True

    def run(self) -> End:
        """Run it, and return how it ended."""
        try:
            limit = self._properties.get("constraints", {}).get("maxWallClockTime")
            self._deadline = time.monotonic() + (seconds(limit) if limit else MAX_SECONDS)
            return self._run()
        except RuntimeFailure as error:
            return failed("JobLaunchFailed", str(error))
        except OSError as error:
            place = f" ({error.filename})" if error.filename else ""
            message = f"Can't write the job's files: {error.strerror}{place}{way_out(error.errno)}"
            return failed("JobLogsFailed", message)
        finally:
            processes.end(lambda: processes.descendants(os.getpid()))

    def _run(self) -> End:
        paths = self._paths
        self._journal.phase(Phase.MOUNTING)
        cluster_volumes, job_volumes = paths.cluster_volumes(), paths.job_volumes()
        mount(paths.mount_root, cluster_volumes)
        mount(paths.job_mount_root, job_volumes)
        found = found_files(self._properties, paths.own_folders)
        try:
            make_directories(paths, self._slots_of_nodes())
            self._log.write("mounted")
            return self._prepare_and_launch()
        finally:
            record_kept(found, paths.kept_files)
            self._log.write("unmounting")
            unmount(paths.job_mount_root, job_volumes)
            unmount(paths.mount_root, cluster_volumes)

    def _prepare_and_launch(self) -> End:
        of_nodes = environments(self._paths, self._submitted, self._spec.python, self._nodes)
        launch = self._plan()
        if launch.style is not Style.HOROVOD:
            return self._prepare(of_nodes) or self._launch(launch, of_nodes)
        # The server starts while the preparation runs.
        server = self._start_server(launch, of_nodes)
        try:
            if end := self._prepare(of_nodes, spared=[server.pid]):
                return end
            try:
                ranks = self._await(server)
            except LaunchError:
                if "jobPreparation" not in self._properties:
                    raise
                # The preparation may be what installed Horovod.
                server.close()
                server = self._start_server(launch, of_nodes)
                ranks = self._await(server)
            if isinstance(ranks, End):
                return ranks
            return self._launch(launch, of_nodes, ranks)
        finally:
            server.close()

    def _plan(self) -> Launch:
        def plan(nodes: Nodes) -> Launch:
            return plan_launch(self._properties, nodes, mpirun=self._spec.launcher == "mpirun")

        ports = _free_ports(len(plan(Nodes(self._nodes)).tasks))
        return plan(Nodes(self._nodes, ports=ports, shared_temp=str(self._paths.shared_temp)))

    def _start_server(self, launch: Launch, of_nodes: Sequence[dict[str, str]]) -> RendezvousServer:
        python = interpreter(launch, of_nodes[0])
        log = self._paths.folder / "rendezvous.log"
        return RendezvousServer(python, hosts(launch), of_nodes[0], log)

    def _await(self, server: RendezvousServer) -> list[dict[str, str]] | End:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            if (ranks := server.poll(TICK_SECONDS)) is not None:
                return ranks
            if reason := self._stop_reason():
                return self._stopped(reason)
        raise LaunchError(f"Horovod's rendezvous server gave no answer in {START_SECONDS:.0f} s")

    def _prepare(
        self, of_nodes: Sequence[dict[str, str]], spared: Sequence[int] = ()
    ) -> End | None:
        """Run the preparation on all nodes at once; return the end if it fails."""
        command = self._properties.get("jobPreparation", {}).get("commandLine")
        if not command:
            return None
        self._journal.phase(Phase.PREPARING)
        self._log.write("preparing")
        folder = self._paths.stdouterr
        found = [
            Member(
                name=node_id(node),
                argv=["bash", "-c", command],
                environment=of_nodes[node],
                directory=self._paths.temp(node),
                stdout=folder / f"stdout-job_prep{suffix(node, self._nodes)}.txt",
                stderr=folder / f"stderr-job_prep{suffix(node, self._nodes)}.txt",
            )
            for node in range(self._nodes)
        ]
        # What a preparation leaves running in the background is ended with it.
        outcome = self._run_gang(self._gang(spared), found)
        if outcome.stopped:
            return self._stopped(outcome.stopped)
        if outcome.failure:
            node, code = outcome.failure.name, outcome.failure.exit_code
            message = f"Job preparation failed with exit code {code} on {node}"
            return failed("JobPreparationFailed", message, code, node=node)
        return None

    def _launch(
        self,
        launch: Launch,
        of_nodes: Sequence[dict[str, str]],
        ranks: Sequence[dict[str, str]] = (),
    ) -> End:
        self._journal.phase(Phase.RUNNING)
        self._log.write("running")
        found = members(launch, self._paths, of_nodes, ranks, bind=self._spec.bind_to == "core")
        outcome = self._run_gang(self._gang(), found)
        if outcome.stopped:
            return self._stopped(outcome.stopped)
        failure = outcome.failure
        if failure is None:
            self._log.write("ended with exit code 0")
            return End(ExecutionState.SUCCEEDED, 0)
        # Of a single process, no one is the first.
        several = len(launch.tasks) > 1
        words = str(failure) if several else f"the process failed with {failure.code}"
        self._log.write(words)
        data = {"name": failure.name, "exitCode": failure.exit_code}
        self._journal.event("rank", words, data)
        message = f"Job failed with non-zero exit code: {words}"
        return failed("JobFailed", message, failure.exit_code, failedFirst=failure.name)

    def _gang(self, spared: Sequence[int] = ()) -> Gang:
        return Gang(self._paths.log_order, spared)

    def _run_gang(self, gang: Gang, found: Sequence[Member]) -> Outcome:
        try:
            for member in found:
                gang.start(member)
        except BaseException:
            gang.end()
            raise
        outcome = gang.run(self._stop_reason)
        if outcome.survivors:
            pids = ", ".join(map(str, outcome.survivors))
            message = f"processes {pids} hang in the kernel and can't be killed"
            self._journal.event("error", message)
        return outcome

    def _stop_reason(self) -> str | None:
        if self._asked_to_end:
            return StopReason.CANCEL
        return self._journal.stop_reason() or (
            _TIMED_OUT if time.monotonic() > self._deadline else None
        )

    def _stopped(self, reason: str) -> End:
        if reason == _TIMED_OUT:
            self._log.write(reason)
            limit = self._properties.get("constraints", {}).get("maxWallClockTime", "P7D")
            return failed("JobTimedOut", f"The job ran longer than its time limit {limit}")
        self._log.write(_WORDS[StopReason(reason)])
        match StopReason(reason):
            case StopReason.CANCEL:
                return terminated()
            case StopReason.REQUEUE:
                return requeued()
            case StopReason.RESIZE:
                return node_removed()

    def _slots_of_nodes(self) -> list[int]:
        (toolkit,) = toolkit_keys(self._properties)
        count = int(self._properties[toolkit].get("processCount") or self._nodes)
        where = placement(count, self._nodes)
        return [sum(node == n for node, _ in where) for n in range(self._nodes)]


def _free_ports(count: int) -> tuple[int, ...]:
    with contextlib.ExitStack() as probes:
        # All at once, so that no two are the same.
        found = [probes.enter_context(socket.socket()) for _ in range(count)]
        for probe in found:
            probe.bind(("127.0.0.1", 0))
        return tuple(probe.getsockname()[1] for probe in found)
