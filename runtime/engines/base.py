"""The interface between the embedded provider and an engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from bai.compiler.resources.ids import ResourceId
    from bai.compiler.resources.resource import Resource
    from bai.runtime.account_settings import AccountSettings
    from bai.runtime.engines.setup_tasks import SetupTasks
    from bai.runtime.jobs.files import Files
    from bai.runtime.jobs.journal import Record
    from bai.runtime.jobs.records import Attempt, NodeName
    from bai.runtime.jobs.run_spec import RunSpec
    from bai.runtime.jobs.submitted import Submitted
    from bai.runtime.scheduling.records import NodeState
    from bai.specs.findings import Finding


class Condition(StrEnum):
    """What an engine sees of a run that the provider takes for running."""

    WAITING = "waiting"
    """It is in the engine's own queue."""
    ALIVE = "alive"
    """It has a supervisor, or will have one."""
    NOT_STARTED = "not started"
    """Its supervisor ended, or never came, before it claimed the run; it may be launched again.

    It is in no queue either.
    """
    LOST = "lost"
    """Its supervisor is gone, and what could be found of it was ended."""


class Report(NamedTuple):
    """What an engine sees of a run."""

    condition: Condition
    message: str = ""
    """What a supervisor that did not start has said last."""
    is_clean: bool = False
    """Whether it is certain that nothing is left of a lost run."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What an engine will start for one run of an attempt; can be shown before it is launched."""

    spec: RunSpec
    command: tuple[str, ...]
    """The command line that starts the supervisor."""

    def shown(self) -> dict[str, Any]:
        """Return it as JSON data, for people to look at."""
        return {"command": list(self.command), "run": self.spec.as_data()}


@dataclass(frozen=True, slots=True)
class Features:
    """What the provider has to know of an engine."""

    slots: int | None = None
    """Most processes that may run at once; None where the engine sets no limit."""
    gpus: int | None = None
    """GPUs of each node; None where only the sizes of Azure's machines say how many."""
    accounts: Mapping[str, AccountSettings] = field(default_factory=dict)
    """Name -> storage account that is no folder: jobs get the secrets of those that they mount."""
    has_queue: bool = False
    """Whether it has a queue and nodes of its own.

    Such an engine gets each attempt as soon as that is put, and chooses its nodes when it starts
    it; the supervisor reports them as it claims the run. bai allocates no nodes and changes no
    number of nodes, and no attempt waits in bai for another one.
    """


@dataclass(frozen=True, slots=True)
class EngineNode:
    """A node of an engine that has nodes of its own."""

    name: NodeName
    state: NodeState
    since: datetime | None = None
    """When it came into that state, if that is known."""
    attempt: str | None = None
    """The uuid of the attempt that has it."""


class Engine(Protocol):
    """Runs the processes of attempts."""

    features: Features
    setup_tasks: SetupTasks | None
    """Runs the setup tasks of clusters on their new nodes.

    None if this engine can't, as one that has nodes of its own.
    """

    def check_cluster(self, resource: Resource) -> tuple[Finding, ...]:
        """Return what this engine can't do with a desired cluster."""

    def check_job(self, resource: Resource, cluster: Resource | None) -> tuple[Finding, ...]:
        """Return what this engine can't do with a desired job.

        Args:
            resource: the job, with the spans that findings point to.
            cluster: the cluster that it will run on, where it is known; without spans if it is
                not desired but lives.
        """

    def consequences(self, resource: Resource) -> tuple[str, ...]:
        """Return what a job or a new cluster would be that its spec does not say, in sentences.

        It is that another image takes the place of the job's, or that an account is a folder.
        """

    def accept(self, uuid: str, submitted: Submitted) -> None:
        """Keep what a job got from the process that submits it, until `discard`.

        Args:
            uuid: of the attempt, which is to be queued.
            submitted: what to keep.

        Raises:
            OSError: it can't be written.
        """

    def discard(self, uuid: str) -> None:
        """Remove what `accept` kept, if it is there: no run of the attempt will follow."""

    def prepare(
        self, attempt: Attempt, job: Mapping[str, Any], cluster: Mapping[str, Any] | None
    ) -> Submission:
        """Return what `launch` would start for the newest run of an attempt; changes nothing.

        Args:
            attempt: the attempt, with the nodes of its run.
            job: its job's wire form.
            cluster: the wire form of its cluster, if that exists.
        """

    def run_spec(self, attempt: Attempt) -> RunSpec:
        """Return what the newest run of an attempt was launched with.

        Raises:
            NotFoundError: it is gone, or there was no run yet.
        """

    def launch(self, submission: Submission) -> None:
        """Start the supervisor of a run, or put it into the engine's queue, and return.

        A run that has a supervisor, or is in the queue, gets no second one.

        Raises:
            LaunchError: it can't be started.
        """

    def revoke(self, attempt: Attempt) -> bool:
        """Make sure that the newest run never starts; False if a supervisor has claimed it."""

    def stop(self, attempt: Attempt) -> None:
        """Ask the newest run to end for the reason in `attempt.stop`; may be repeated.

        What is in the engine's queue leaves it.

        A cancel is only one reason; in a resize the attempt may be queued again after the run.

        Raises:
            OSError: it can't be asked.
        """

    def observe(self, attempts: Iterable[Attempt]) -> Mapping[str, Report]:
        """Return uuid -> report on the newest run of each attempt.

        What a lost supervisor left running is ended first. A run of which nothing is known now,
        since what knows it can't be reached, is left out: nothing changes for it.
        """

    def waiting(self, attempts: Iterable[Attempt]) -> Mapping[str, str]:
        """Return uuid -> what it waits for in the engine's queue, in words behind "waits for".

        Without a queue, there is nothing in it.
        """

    def nodes(self, cluster: ResourceId) -> Sequence[EngineNode]:
        """Return the engine's own nodes that a cluster has now; none without `has_queue`."""

    def journal(self, attempt: Attempt) -> tuple[Sequence[Record], int]:
        """Return what the newest run reported behind `attempt.journal_read`, and where that ends.

        Raises:
            OSError: it can't be read.
        """

    def is_silent(self, attempt: Attempt) -> bool:
        """Return whether the supervisor of the newest run is there, but does nothing now."""

    def wait(self, attempts: Iterable[Attempt], seconds: float) -> None:
        """Wait until the supervisor of one of these attempts ends, at most so many seconds."""

    def files(self, spec: RunSpec) -> Files:
        """Return what the runs of an attempt have written; there may be nothing yet.

        Args:
            spec: of its newest run; before the first, of one that was only prepared.
        """

    def remove(self, uuid: str) -> None:
        """Remove what the engine keeps of an attempt that has ended; logs and outputs stay."""
