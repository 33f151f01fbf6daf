"""What follows from what an engine sees of the setup task of a new node."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from bai.runtime.jobs.records import JobError

RUNS: Final = 3
"""How often to run the setup task of a node whose process is killed, or does not start."""


class TaskState(StrEnum):
    """What an engine sees of the newest run of a setup task."""

    ALIVE = "alive"
    """A process runs it, or will."""
    READY = "ready"
    """It succeeded."""
    FAILED = "failed"
    NOT_STARTED = "not started"
    """Its process ended, or never came, before it claimed the run."""
    LOST = "lost"
    """Its process was killed, and what could be found of the task was ended."""


@dataclass(frozen=True, slots=True)
class TaskReport:
    """What an engine sees of the newest run of a setup task."""

    state: TaskState
    errors: tuple[JobError, ...] = ()
    """Why it failed."""
    message: str = ""
    """What a process that did not start has said last."""


class Step(Enum):
    """What to do with a node that is being prepared."""

    WAIT = "wait"
    RUN = "run"
    """Run its setup task, once more if it has run."""
    USE = "use"
    """It is ready."""
    GIVE_UP = "give up"
    """It can't be used."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a node, and why, if it can't be used."""

    step: Step
    errors: tuple[JobError, ...] = ()


def judge(report: TaskReport, run: int, *, may_run: bool) -> Verdict:
    """Return what to do with a node that is being prepared.

    A task whose process was killed runs again: setup tasks are idempotent, since nodes that are
    rebooted run them again, too.

    Args:
        report: what is seen of its setup task.
        run: the number of its newest run; 0 before the first.
        may_run: whether setup tasks run here now. A node whose task does not run any more, since
            its context changed, is ready.
    """
    match report.state:
        case TaskState.ALIVE:
            return Verdict(Step.WAIT)
        case TaskState.READY:
            return Verdict(Step.USE)
        case TaskState.FAILED:
            return Verdict(Step.GIVE_UP, report.errors)
    if not may_run:
        return Verdict(Step.USE)
    if run < RUNS:
        return Verdict(Step.RUN)
    if report.state is TaskState.LOST:
        return _unusable("SetupTaskLost", f"The process of the setup task was killed {run} times")
    if not report.message:
        # One that says nothing was killed, or is only slow.
        return Verdict(Step.RUN)
    return _unusable("SetupTaskLaunchFailed", f"The setup task does not start: {report.message}")


def _unusable(code: str, message: str) -> Verdict:
    return Verdict(Step.GIVE_UP, (JobError(code, message),))
