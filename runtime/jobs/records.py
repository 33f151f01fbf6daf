"""Records of what a provider holds: live resources, attempts, how they end, events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.sweep import SweepId

if TYPE_CHECKING:
    from bai.compiler.resources.bodies import Body

TERMINATED = "JobTerminated"
"""Batch AI's error code for a cancelled job."""
PREPARATION_FAILED = "JobPreparationFailed"
"""Batch AI's error code for a preparation that failed; the node is among the details."""
STOPPED_EARLY = "JobStoppedEarly"
"""The error code of a member of a sweep that did worse than others; Batch AI has none for it."""
FAILED_FIRST = "failedFirst"
"""The detail of an error that names the process at fault."""

_OUTCOMES = {TERMINATED: "cancelled", STOPPED_EARLY: "stopped early"}
"""Code of an error -> what people call the state of a job that has it."""


class ExecutionState(StrEnum):
    """The states of a job, as Batch AI names them."""

    QUEUED = "queued"
    RUNNING = "running"
    TERMINATING = "terminating"
    SUCCEEDED = "succeeded"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Whether this state is final."""
        return self in (ExecutionState.SUCCEEDED, ExecutionState.FAILED)


class Phase(StrEnum):
    """What a running attempt is doing."""

    MOUNTING = "mounting"
    PULLING = "pulling the image"
    CONTAINERS = "starting containers"
    PREPARING = "preparing"
    RUNNING = "running"


class StopReason(StrEnum):
    """Why a run shall end before its processes do."""

    CANCEL = "cancel"
    """The user cancelled the job."""
    REQUEUE = "requeue"
    """Its nodes go, and it is queued again."""
    RESIZE = "resize"
    """Its nodes go, and it ends with them."""
    FAILURES = "failures"
    """So many members of its sweep failed that it is not to start."""
    EARLY = "early"
    """It does worse than other members of its sweep."""


NodeName = int | str
"""A node of a cluster: its number, from 0, or the name that it has in an engine's own cluster."""


@dataclass(frozen=True, slots=True)
class JobError:
    """Why a job failed, or a node: Batch AI's code, a sentence, and named details."""

    code: str
    message: str
    details: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at running a job. Started at most once; always ends in a recorded state."""

    uuid: str
    job: ResourceId
    cluster: ResourceId
    number: int
    """1 for a job's first attempt."""
    state: ExecutionState
    process_count: int
    """Processes on all nodes together."""
    created: datetime
    state_since: datetime
    phase: Phase | None = None
    started: datetime | None = None
    ended: datetime | None = None
    exit_code: int | None = None
    errors: tuple[JobError, ...] = ()
    nodes: tuple[NodeName, ...] = ()
    """The nodes that its run has."""
    run: int = 0
    """Its newest run, from 1; 0 before the first. A requeue makes another one."""
    launches: int = 0
    """How often a supervisor was started for that run, or the run handed to the engine's queue.

    0 again once the run is claimed.
    """
    handle: str | None = None
    """What the engine finds the supervisor of that run by, once it has claimed it."""
    stop: StopReason | None = None
    """Why the run was asked to end."""
    journal_read: int = 0
    """Bytes of the run's journal that these values know."""
    sweep: SweepId | None = None
    """The sweep that its job is a member of."""

    @property
    def holds_nodes(self) -> bool:
        """Whether a run of it has nodes: it is starting, running or ending."""
        return self.state in (ExecutionState.RUNNING, ExecutionState.TERMINATING)

    @property
    def is_submitted(self) -> bool:
        """Whether its newest run is in the engine's own queue, and has not started yet."""
        return self.state is ExecutionState.QUEUED and self.launches > 0

    @property
    def is_launched(self) -> bool:
        """Whether the engine has a run of it that has not ended."""
        return self.holds_nodes or self.is_submitted

    @property
    def outcome(self) -> str:
        """The state for people.

        It is `cancelled` or `stopped early`, in place of `failed`, where the user or the sweep of
        the job ended it.
        """
        found = (_OUTCOMES[error.code] for error in self.errors if error.code in _OUTCOMES)
        return next(found, self.state.value)

    @property
    def has_failed(self) -> bool:
        """Whether it ended in a way that nobody wanted, or was cancelled."""
        return self.state is ExecutionState.FAILED and self.outcome != _OUTCOMES[STOPPED_EARLY]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to an attempt."""

    sequence: int | None
    """Its number, which grows with time and is unique in a state folder.

    None while it stands in a journal only, which nobody has imported yet.
    """
    attempt: str
    time: datetime
    kind: str
    """`phase`, `rank`, `state`, `note` or `error`."""
    message: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LiveResource:
    """A resource as the provider holds it."""

    id: ResourceId
    wire: Mapping[str, Any]
    """The body as JSON data, with markers in place of secrets; nobody changes it any more."""
    created: datetime
    attempt: Attempt | None = None
    """The newest attempt of a job; None for other kinds."""
    is_deleting: bool = False
    """Whether it goes as soon as its jobs have ended."""

    @cached_property
    def body(self) -> Body:
        """The typed body.

        Raises:
            pydantic.ValidationError: the wire form is not of its kind's shape.
        """
        # Long lists need none of the bodies, and a supervisor none of the models.
        from bai.compiler.resources.bodies import body_from_wire

        return body_from_wire(self.id.kind, self.wire)


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a long list of resources."""

    resources: Sequence[LiveResource]
    next: str | None
    """What asks for the part behind this one; None if this is the last."""


@dataclass(frozen=True, slots=True)
class LiveNode:
    """A node of a cluster as the provider holds it."""

    cluster: ResourceId
    node: NodeName
    state: str
    """`preparing`, `idle`, `running`, `leaving` or `unusable`, as Batch AI names them."""
    since: datetime | None
    """When it came into that state; None where the engine does not know."""
    job: ResourceId | None = None
    """The job that has it."""
    errors: tuple[JobError, ...] = ()
    """Why it is unusable, where its preparation failed."""

    @property
    def name(self) -> str:
        """Its name for people: `node-0`, or that in the engine's cluster."""
        return self.node if isinstance(self.node, str) else f"node-{self.node}"


@dataclass(frozen=True, slots=True)
class End:
    """What there is to record of the end of an attempt, or of one of its runs."""

    state: ExecutionState
    """The state that it ended in; `queued` if the attempt waits for another run."""
    exit_code: int | None = None
    """Of the process at fault, or 0; None where nothing ended by itself."""
    errors: tuple[JobError, ...] = ()
    """Why it failed."""


def failed(code: str, message: str, exit_code: int | None = None, **details: str) -> End:
    """Return a failure, with Batch AI's error code and an exit code where there is one."""
    return End(ExecutionState.FAILED, exit_code, (JobError(code, message, details),))


def terminated() -> End:
    """Return the end of a job that its user cancelled."""
    return failed(TERMINATED, "The specified job has been terminated by the user")


def requeued() -> End:
    """Return the end of a run whose attempt is queued again."""
    return End(ExecutionState.QUEUED)


def node_removed() -> End:
    """Return the end of a job whose cluster was made smaller."""
    message = "The cluster was scaled down, and the nodes of the job were removed"
    return failed("JobNodeRemoved", message)


def not_started() -> End:
    """Return the end of a member of a sweep that was not to start after failures of others."""
    return failed(TERMINATED, "So many jobs of its sweep had failed that it was not started")


def stopped_early() -> End:
    """Return the end of a member of a sweep that did worse than others."""
    return failed(STOPPED_EARLY, "The job did worse than others of its sweep, which ended it early")


def stopped(reason: StopReason) -> End:
    """Return the end of a run that was asked to end."""
    match reason:
        case StopReason.CANCEL:
            return terminated()
        case StopReason.REQUEUE:
            return requeued()
        case StopReason.RESIZE:
            return node_removed()
        case StopReason.FAILURES:
            return not_started()
        case StopReason.EARLY:
            return stopped_early()


def lost(*, is_clean: bool) -> End:
    """Return the end of a job whose supervisor was killed.

    Args:
        is_clean: whether it is certain that no process of the job is left.
    """
    which = "all its processes" if is_clean else "those of its processes that could be found"
    return failed("JobSupervisorLost", f"The supervisor of the job was killed; {which} were ended")
