"""What `apply` has done, and the jobs that it was about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bai.compiler.resources.ids import Kind
from bai.compiler.resources.short_names import ShortNames

if TYPE_CHECKING:
    from bai.handle import JobHandle
    from bai.runtime.plan.execute import Applied
    from bai.runtime.plan.plan import Plan
    from bai.session import Session


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """What `apply` has done."""

    applied: Sequence[Applied]
    jobs: dict[str, JobHandle] = field(default_factory=dict)
    """Name -> every job of the specs, whether it was started or not.

    EXPERIMENT/NAME where two experiments have jobs of the same name.
    """

    def wait(self, timeout: float | str | None = None) -> Result:
        """Wait for the end of every job, and return self.

        Args:
            timeout: the longest wait for each, as `JobHandle.wait` takes it.

        Raises:
            ValueError: the timeout is no length of time.
            WaitTimeoutError: a job has not ended in time; it goes on.
        """
        for job in self.jobs.values():
            job.wait(timeout)
        return self

    def __repr__(self) -> str:
        names = ShortNames(step.change.resource.id for step in self.applied)
        lines = [f"{names.label(step.change.resource.id)} {step.word}" for step in self.applied]
        return "\n".join(lines + [repr(job) for job in self.jobs.values()])


def jobs_of(plan: Plan, session: Session) -> dict[str, JobHandle]:
    """Return the jobs of a plan that live, by name; by EXPERIMENT/NAME where two are alike."""
    ids = [change.resource.id for change in plan.changes if change.resource.id.kind is Kind.JOB]
    return {plan.name(id): session.handle(id) for id in ids if session.provider.attempts(id)}
