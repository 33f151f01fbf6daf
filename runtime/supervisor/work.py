"""What a run does on machines whose mounts and folders are ready: preparation, then ranks."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Sequence

from bai.runtime.errors import LaunchError
from bai.runtime.jobs.journal import Journal
from bai.runtime.jobs.paths import AttemptPaths
from bai.runtime.jobs.records import (
    FAILED_FIRST,
    PREPARATION_FAILED,
    End,
    ExecutionState,
    Phase,
    failed,
)
from bai.runtime.jobs.run_spec import RunSpec
from bai.runtime.jobs.submitted import Submitted
from bai.runtime.node.environment import ExecutionLog, environments, node_id, suffix
from bai.runtime.node.machine import Process
from bai.runtime.supervisor.crew import TICK_SECONDS, Crew
from bai.runtime.supervisor.decisions import HALTED_SECONDS, Outcome, Say
from bai.runtime.supervisor.gang import Gang, Member
from bai.runtime.supervisor.installed_mpi import installed_mpi
from bai.runtime.supervisor.launcher import hosts, interpreter, members
from bai.runtime.supervisor.rendezvous_server import START_SECONDS, RendezvousServer
from bai.runtime.supervisor.stop import Stop, Stopped
from bai.runtime.toolkits.registry import launch as plan_launch
from bai.runtime.toolkits.task import Launch, Nodes, Style

Environments = Sequence[dict[str, str]]


class Work:
    """The processes of one run, from the first to the end."""

    def __init__(
        self,
        spec: RunSpec,
        paths: AttemptPaths,
        crew: Crew,
        journal: Journal,
        log: ExecutionLog,
        stop: Stop,
    ) -> None:
        """Run what a spec says, on a crew; report to the journal and the execution log."""
        self._spec = spec
        self._paths = paths
        self._crew = crew
        self._journal = journal
        self._log = log
        self._stop = stop
        self._nodes = len(spec.nodes)

    def run(self, submitted: Submitted) -> End:
        """Prepare and launch, and return how it ended.

        Args:
            submitted: what the job got when it was submitted.

        Raises:
            LaunchError: a process can't be started.
            NodeLostError: a node was lost before all processes ran.
            OSError: a log can't be written.
            Stopped: the run shall end.
        """
        # A far machine has variables of its own, of which the submission knew nothing.
        secrets, withheld = submitted.secrets, submitted.withheld
        of_nodes = environments(self._paths, secrets, self._spec.python, self._crew.facts, withheld)
        launch = self._plan()
        if launch.style is not Style.HOROVOD:
            return self._prepare(of_nodes) or self._launch(launch, of_nodes)
        # The server starts while the preparation runs.
        server = self._start_server(launch, of_nodes)
        if end := self._prepare(of_nodes, spare=[server.number]):
            return end
        try:
            ranks = self._await(server)
        except LaunchError:
            if "jobPreparation" not in self._spec.properties:
                raise
            # The preparation may be what installed Horovod.
            ranks = self._await(self._start_server(launch, of_nodes))
        return self._launch(launch, of_nodes, ranks)

    def _plan(self) -> Launch:
        def plan(nodes: Nodes) -> Launch:
            mpirun = self._spec.launcher == "mpirun"
            return plan_launch(self._spec.properties, nodes, mpirun=mpirun)

        crew = self._crew
        counts = Counter(task.node for task in plan(Nodes(self._nodes)).tasks)
        asked = {
            id(machine): machine.ports(
                sum(n for node, n in counts.items() if crew.carriers[node] is machine)
            )
            for machine in crew.each_carrier
        }
        found = dict(
            zip(asked, map(iter, crew.gather(asked.values(), self._stop.check)), strict=True)
        )
        ports = tuple(
            tuple(next(found[id(machine)]) for _ in range(counts[node]))
            for node, machine in enumerate(crew.carriers)
        )
        addresses = tuple(facts.address for facts in crew.facts)
        return plan(Nodes(self._nodes, addresses, ports, str(self._paths.shared_temp)))

    def _start_server(self, launch: Launch, of_nodes: Environments) -> RendezvousServer:
        python = interpreter(launch, of_nodes[0], self._crew)
        log = self._paths.folder / "rendezvous.log"
        container = self._spec.container
        image = container.image if container else None
        return RendezvousServer(self._crew, python, hosts(launch), of_nodes[0], log, image)

    def _await(self, server: RendezvousServer) -> list[dict[str, str]]:
        until = time.monotonic() + START_SECONDS
        while (ranks := server.ranks()) is None:
            if time.monotonic() > until:
                raise LaunchError(
                    f"Horovod's rendezvous server gave no answer in {START_SECONDS:.0f} s"
                )
            self._crew.check()
            self._stop.check()
            self._crew.streams.step(TICK_SECONDS)
        return ranks

    def _prepare(self, of_nodes: Environments, spare: Collection[int] = ()) -> End | None:
        """Run the preparation on all nodes at once; return the end if it fails."""
        command = self._spec.properties.get("jobPreparation", {}).get("commandLine")
        if not command:
            return None
        self._journal.phase(Phase.PREPARING)
        self._log.write("preparing")
        folder = self._paths.stdouterr
        found = [
            Member(
                name=node_id(node),
                node=node,
                process=Process(
                    argv=["bash", "-c", command],
                    environment=of_nodes[node],
                    directory=self._paths.directory(node),
                ),
                stdout=folder / f"stdout-job_prep{suffix(node, self._nodes)}.txt",
                stderr=folder / f"stderr-job_prep{suffix(node, self._nodes)}.txt",
            )
            for node in range(self._nodes)
        ]
        # What a preparation leaves running in the background is ended with it.
        outcome = self._run_gang(found, spare)
        if outcome.failure:
            node_name, code = outcome.failure.name, outcome.failure.exit_code
            message = f"Job preparation failed with exit code {code} on {node_name}"
            return failed(PREPARATION_FAILED, message, code, node=node_name)
        return self._other_end(outcome)

    def _launch(self, launch: Launch, of_nodes: Environments, ranks: Environments = ()) -> End:
        self._journal.phase(Phase.RUNNING)
        self._log.write("running")
        bind = self._spec.bind_to == "core"
        mpi = None
        if launch.style is Style.MPI:
            # The preparation may be what installed it.
            directory = self._paths.directory(0)
            mpi = installed_mpi(self._crew, of_nodes[0], directory, self._stop.check)
        found = members(launch, self._paths, self._crew, of_nodes, ranks, mpi=mpi, bind=bind)
        outcome = self._run_gang(found)
        failure = outcome.failure
        if failure is None:
            if end := self._other_end(outcome):
                return end
            self._log.write("ended with exit code 0")
            return End(ExecutionState.SUCCEEDED, 0)
        # Of a single process, no one is the first.
        several = len(launch.tasks) > 1
        words = str(failure) if several else f"the process failed with {failure.code}"
        self._log.write(words)
        data = {"name": failure.culprit, "exitCode": 0 if failure.missed else failure.exit_code}
        self._journal.event("rank", words, data)
        message = f"Job failed with non-zero exit code: {words}"
        details = {FAILED_FIRST: failure.culprit}
        return failed("JobFailed", message, failure.exit_code, **details)

    def _run_gang(self, found: Sequence[Member], spare: Collection[int] = ()) -> Outcome:
        outcome = Gang(self._crew, self._say, spare).run(found, self._stop.reason)
        if outcome.survivors:
            pids = ", ".join(outcome.survivors)
            message = f"processes {pids} hang in the kernel and can't be killed"
            self._journal.event("error", message)
        return outcome

    def _other_end(self, outcome: Outcome) -> End | None:
        """Return the end of a gang that no process's failure ended; None if it succeeded."""
        if outcome.stopped:
            raise Stopped(outcome.stopped, outcome.ended)
        if outcome.lost:
            return node_lost(outcome.lost.node, outcome.lost.reason)
        if outcome.halted:
            message = (
                f"A signal stopped {outcome.halted}, and nothing continued it "
                f"for {HALTED_SECONDS / 60:.0f} minutes"
            )
            return failed("JobProcessStopped", message, name=outcome.halted)
        return None

    def _say(self, say: Say) -> None:
        self._log.write(say.message)
        self._journal.event("note", say.message, say.data)


def node_lost(node: str, reason: str) -> End:
    """Return the end of a job that lost a node."""
    return failed("JobNodeLost", f"Node {node} of the job was lost: {reason}", node=node)
