"""One run of the setup task of a node, from its mounts to its end."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Iterator, Sequence
from typing import Final

from bai.runtime.errors import NodeLostError
from bai.runtime.file_limit import way_out
from bai.runtime.jobs.journal import Journal
from bai.runtime.jobs.logs import Logs
from bai.runtime.jobs.records import End, ExecutionState, failed
from bai.runtime.jobs.setup_paths import SetupPaths
from bai.runtime.jobs.setup_spec import SetupSpec
from bai.runtime.jobs.submitted import Submitted
from bai.runtime.mounts.volumes import mounts
from bai.runtime.node.environment import node_id, setup_environment
from bai.runtime.node.here import LocalAgents
from bai.runtime.node.leftovers import Enclosure
from bai.runtime.node.machine import Agents, Machine, Process
from bai.runtime.node.streams import Streams
from bai.runtime.supervisor.crew import Crew
from bai.runtime.supervisor.decisions import HALTED_SECONDS, Outcome, Say
from bai.runtime.supervisor.gang import Gang, Member
from bai.runtime.supervisor.stop import Stop, Stopped
from bai.specs.errors import RuntimeFailure

_LOOK_SECONDS: Final = 0.1
"""How often to look whether another node of this machine is ready."""


def run_setup(
    spec: SetupSpec, submitted: Submitted, journal: Journal, agents: Agents | None = None
) -> End:
    """Run the setup task of a node, and return how it ended; SIGTERM ends it.

    Args:
        spec: what to run.
        submitted: what the task got when its cluster was put.
        journal: where to report; the end is for the caller to report.
        agents: how the node is reached, by default as a folder of this machine; for the caller to
            close, once the end is reported.
    """
    stop = Stop(journal, None)
    signal.signal(signal.SIGTERM, stop.ask)
    run = _SetupRun(spec, submitted, journal, stop)
    if agents:
        return run.run(agents)
    return run.run(LocalAgents(submitted.environment), on_shared_machine=True)


class _SetupRun:
    """One run of a setup task."""

    def __init__(self, spec: SetupSpec, submitted: Submitted, journal: Journal, stop: Stop) -> None:
        self._spec = spec
        self._submitted = submitted
        self._journal = journal
        self._stop = stop
        self._paths = SetupPaths(spec)
        self._streams = Streams()
        self._logs = Logs(self._paths.log_order)

    def run(self, agents: Agents, *, on_shared_machine: bool = False) -> End:
        """Run it, and return how it ended; nodes that are one machine wait for each other."""
        enclosure = Enclosure(self._paths.folder, self._spec.run, self._spec.uuid)
        self._streams.each_step(enclosure.record)
        try:
            (machine,) = agents.join(self._streams, 1, self._stop.check)
            crew = Crew([machine], self._streams, self._logs)
            try:
                with self._turn() if on_shared_machine else contextlib.nullcontext():
                    return self._mount_and_run(crew, machine)
            finally:
                crew.end()
        except Stopped as stopped:
            words = self._stop.words(stopped.reason)
            return failed("SetupTaskEnded", f"The setup task was ended: {words}")
        except NodeLostError as error:
            return _lost(error.node, error.reason)
        except RuntimeFailure as error:
            return failed("SetupTaskLaunchFailed", f"The setup task can't be started: {error}")
        except OSError as error:
            place = f" ({error.filename})" if error.filename else ""
            message = f"{error.strerror}{place}{way_out(error.errno)}"
            return failed("SetupTaskLogsFailed", f"Can't write the setup task's files: {message}")
        finally:
            self._logs.close()
            self._streams.close()
            enclosure.leave()

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for the setup tasks of other nodes, as apt and pip can't run twice at once.

        Raises:
            Stopped: it shall end.
        """
        nodes = os.open(self._paths.folder.parent, os.O_RDONLY)
        try:
            while not _is_locked(nodes):
                self._stop.check()
                time.sleep(_LOOK_SECONDS)
            yield
        finally:
            os.close(nodes)

    def _mount_and_run(self, crew: Crew, machine: Machine) -> End:
        paths = self._paths
        wanted = mounts(
            paths.mount_root,
            paths.volumes(),
            self._submitted.accounts,
            commands=self._spec.mount_commands,
        )
        try:
            folders = [str(paths.mount_root), str(paths.temp)]
            crew.gather([machine.prepare(wanted, folders, [str(paths.temp)])], self._stop.check)
            gang = Gang(crew, self._say)
            end = self._end(gang.run([self._member(machine)], self._stop.reason))
        finally:
            lost: Sequence[str] = ()
            if not machine.lost:
                with contextlib.suppress(NodeLostError):
                    (lost,) = crew.gather([machine.unmount(wanted)])
        if lost and end.state is ExecutionState.SUCCEEDED:
            return failed("SetupTaskUploadFailed", "; ".join(lost))
        return end

    def _member(self, machine: Machine) -> Member:
        spec, paths = self._spec, self._paths
        paths.logs.mkdir(parents=True, exist_ok=True)
        stdout, stderr = paths.log("stdout"), paths.log("stderr")
        if not paths.log_order.exists():
            # The logs of an earlier node with this number.
            stdout.unlink(missing_ok=True)
            stderr.unlink(missing_ok=True)
        given, facts = self._submitted, machine.facts
        process = Process(
            argv=["bash", "-c", spec.task["commandLine"]],
            environment=setup_environment(spec, paths, given.secrets, facts, given.withheld),
            directory=str(paths.temp),
        )
        return Member(node_id(spec.node), 0, process, stdout, stderr)

    def _end(self, outcome: Outcome) -> End:
        """Return the end that an outcome means; what the task left in the background has ended."""
        if outcome.stopped:
            raise Stopped(outcome.stopped)
        if outcome.lost:
            return _lost(outcome.lost.node, outcome.lost.reason)
        log = str(self._paths.log("stderr"))
        if outcome.halted:
            minutes = f"{HALTED_SECONDS / 60:.0f} minutes"
            message = f"A signal stopped the setup task, and nothing continued it for {minutes}"
            return failed("SetupTaskFailed", message, log=log)
        if outcome.failure:
            message = f"The setup task failed with {outcome.failure.code}"
            return failed("SetupTaskFailed", message, outcome.failure.exit_code, log=log)
        return End(ExecutionState.SUCCEEDED, 0)

    def _say(self, say: Say) -> None:
        self._journal.event("note", say.message, say.data)


def _is_locked(handle: int) -> bool:
    """Lock an open file or folder until it is closed; False if another process has locked it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lost(node: str, reason: str) -> End:
    return failed("SetupTaskLost", f"Node {node} was lost while it was prepared: {reason}")
