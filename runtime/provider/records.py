"""Records of what a provider holds: live resources, attempts, events."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from bai.compiler.resources.ids import ResourceId

if TYPE_CHECKING:
    # A supervisor needs none of the models, and saves the memory.
    from bai.compiler.resources.bodies import Body


TERMINATED = "JobTerminated"
"""Batch AI's error code for a cancelled job."""


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
    PREPARING = "preparing"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class JobError:
    """Why a job failed: Batch AI's code, a sentence, and named details."""

    code: str
    message: str
    details: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at running a job. Started at most once; always ends in a recorded state."""

    uuid: str
    job: ResourceId
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
    supervisor: int | None = None
    """Process id of the supervisor, once one has claimed the attempt."""
    nodes: tuple[int, ...] = ()
    """Indexes of the cluster's nodes that the attempt holds."""

    @property
    def outcome(self) -> str:
        """The state for people: `cancelled` instead of `failed` if the user cancelled the job."""
        cancelled = any(error.code == TERMINATED for error in self.errors)
        return "cancelled" if cancelled else self.state.value


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to an attempt."""

    sequence: int
    """Grows with time; unique in a state folder."""
    attempt: str
    time: datetime
    kind: str
    """`phase`, `rank`, `state`, `note` or `error`."""
    message: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LiveResource:
    """A resource as the provider holds it."""

    id: ResourceId
    body: Body
    created: datetime
    attempt: Attempt | None = None
    """The newest attempt of a job; None for other kinds."""
