"""One run of an attempt, from its mounts to its end."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from bai.compiler.resources.sweep import sweep_of
from bai.runtime.errors import LaunchError, NodeLostError
from bai.runtime.file_limit import way_out
from bai.runtime.jobs.journal import Journal
from bai.runtime.jobs.logs import Logs
from bai.runtime.jobs.paths import AttemptPaths
from bai.runtime.jobs.records import End, ExecutionState, Phase, failed
from bai.runtime.jobs.run_spec import RunSpec
from bai.runtime.jobs.submitted import Submitted
from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.user_folders import found_files, record_kept
from bai.runtime.mounts.volumes import mounts
from bai.runtime.node.environment import ExecutionLog, write_host_file
from bai.runtime.node.here import LocalAgents
from bai.runtime.node.leftovers import Enclosure
from bai.runtime.node.machine import Agents
from bai.runtime.node.streams import Streams
from bai.runtime.supervisor.containers import Containers
from bai.runtime.supervisor.crew import Crew
from bai.runtime.supervisor.metric_files import MetricFiles
from bai.runtime.supervisor.reports import Reports
from bai.runtime.supervisor.stop import Stop, Stopped
from bai.runtime.supervisor.work import Work, node_lost
from bai.runtime.toolkits.registry import toolkit_keys
from bai.runtime.toolkits.task import placement
from bai.specs.errors import RuntimeFailure


def run_attempt(
    spec: RunSpec,
    submitted: Submitted,
    journal: Journal,
    agents: Agents | None = None,
    wake: Callable[[], None] | None = None,
) -> End:
    """Run an attempt on its nodes, and return how it ended; SIGTERM cancels it.

    Args:
        spec: what to run.
        submitted: what the job got when it was submitted.
        journal: where to report; the end is for the caller to report.
        agents: how its nodes are reached, by default as folders of this machine; for the caller
            to close, once the end is reported.
        wake: called when its sweep is to compare what it has reported.
    """
    run = Run(spec, submitted, journal, agents or LocalAgents(submitted.environment), wake)
    signal.signal(signal.SIGTERM, run.stop.ask)
    return run.run()


class Run:
    """One run of an attempt."""

    def __init__(
        self,
        spec: RunSpec,
        submitted: Submitted,
        journal: Journal,
        agents: Agents,
        wake: Callable[[], None] | None,
    ) -> None:
        """Prepare a run, which reports to a journal; nothing is written yet."""
        limit = spec.properties.get("constraints", {}).get("maxWallClockTime")
        self.stop = Stop(journal, limit)
        """Ends the run when it is asked."""
        self._spec = spec
        self._submitted = submitted
        self._journal = journal
        self._agents = agents
        self._paths = AttemptPaths.of_run(spec)
        self._nodes = len(spec.nodes)
        self._log = ExecutionLog(self._paths.stdouterr, self._nodes)
        self._streams = Streams()
        self._logs = Logs(self._paths.log_order)
        self._reports = self._made_reports(wake if spec.is_compared else None)

    def run(self) -> End:
        """Run it, and return how it ended."""
        enclosure = Enclosure(self._paths.folder, self._spec.run, self._spec.uuid)
        self._streams.each_step(enclosure.record)
        if self._reports:
            self._streams.each_step(self._reports.step)
        try:
            return self._join_and_run()
        except Stopped as stopped:
            self._log.write(self.stop.words(stopped.reason))
            return self.stop.end(stopped)
        except NodeLostError as error:
            return node_lost(error.node, error.reason)
        except RuntimeFailure as error:
            return failed("JobLaunchFailed", str(error))
        except OSError as error:
            place = f" ({error.filename})" if error.filename else ""
            message = f"Can't write the job's files: {error.strerror}{place}{way_out(error.errno)}"
            return failed("JobLogsFailed", message)
        finally:
            if self._reports:
                self._reports.finish()
            self._logs.close()
            self._streams.close()
            enclosure.leave()

    def _made_reports(self, wake: Callable[[], None] | None) -> Reports | None:
        is_member = sweep_of(self._spec.job, self._spec.wire) is not None
        return Reports(self._paths.metrics, self._journal, wake) if is_member else None

    def _join_and_run(self) -> End:
        self._journal.phase(Phase.MOUNTING)
        machines = self._agents.join(self._streams, self._nodes, self.stop.check)
        metrics = MetricFiles(self._paths.metrics, self._paths.usage)
        crew = Crew(machines, self._streams, self._logs, metrics)
        try:
            return self._mount_and_run(crew)
        finally:
            crew.end()

    def _mount_and_run(self, crew: Crew) -> End:
        paths, properties = self._paths, self._spec.properties
        found = found_files(properties, paths.own_folders)
        make = partial(
            mounts,
            secrets=self._submitted.accounts,
            is_contained=self._spec.container is not None,
            commands=self._spec.mount_commands,
        )
        wanted = [
            *make(paths.mount_root, paths.cluster_volumes()),
            *make(paths.job_mount_root, paths.job_volumes()),
        ]
        try:
            self._prepare_machines(crew, wanted)
            self._check_code()
            for folder in (paths.stdouterr, *paths.outputs.values()):
                folder.mkdir(parents=True, exist_ok=True)
            write_host_file(paths, crew.facts, self._slots_of_nodes())
            self._log.write("mounted")
            with self._inside(crew, wanted) as nodes:
                work = Work(self._spec, paths, nodes, self._journal, self._log, self.stop)
                end = work.run(self._submitted)
        finally:
            record_kept(found, paths.kept_files)
            self._log.write("unmounting")
            lost = self._unmount(crew, wanted)
        if lost and end.state is ExecutionState.SUCCEEDED:
            return failed("JobUploadFailed", "; ".join(lost))
        return end

    @contextlib.contextmanager
    def _inside(self, crew: Crew, wanted: Sequence[Mount]) -> Iterator[Crew]:
        """Yield what processes run on: the machines, or containers there, which are removed."""
        spec = self._spec
        if spec.container is None:
            yield crew
            return
        containers = Containers(spec.container, spec.run, self._paths, crew, self.stop.check)
        try:
            password = self._submitted.registry_password
            yield containers.open(wanted, password, self._journal, self._log)
        finally:
            containers.close()

    def _prepare_machines(self, crew: Crew, wanted: Sequence[Mount]) -> None:
        """Mount, and make the folders of each node.

        Temporary ones are empty, also in a second run; logs and outputs of the first stay.
        """
        paths = self._paths
        if paths.shared_temp.exists():
            crew.gather([crew.each[0].prepare([], [], [str(paths.shared_temp)])])
        asked = []
        for machine in crew.each:
            nodes = [n for n in range(self._nodes) if crew.machines[n] is machine]
            shared = (paths.mount_root, paths.job_mount_root, paths.shared_temp)
            folders = [str(folder) for folder in (*shared, *map(paths.temp, nodes))]
            empty = [str(paths.temp_root(node)) for node in nodes]
            asked.append(machine.prepare(wanted, folders, empty))
        crew.gather(asked, self.stop.check)

    def _check_code(self) -> None:
        """Check that the snapshot of the job's code is still in its share.

        Raises:
            LaunchError: it is not.
        """
        code = self._paths.code
        if code and not (place := self._paths.host_path(code)).is_dir():
            raise LaunchError(f"the job's code {place} is gone: apply it again with --rerun")

    def _unmount(self, crew: Crew, wanted: Sequence[Mount]) -> list[str]:
        """Take mounts away; return what was written to them and has not arrived."""
        asked = [machine.unmount(wanted) for machine in crew.each if not machine.lost]
        lost: list[str] = []
        # A node that is lost now has nothing mounted.
        with contextlib.suppress(NodeLostError):
            lost = [message for found in crew.gather(asked) for message in found]
        for message in lost:
            self._log.write(message)
            self._journal.event("note", message)
        return lost

    def _slots_of_nodes(self) -> list[int]:
        (toolkit,) = toolkit_keys(self._spec.properties)
        count = int(self._spec.properties[toolkit].get("processCount") or self._nodes)
        where = placement(count, self._nodes)
        return [sum(node == n for node, _ in where) for n in range(self._nodes)]
