"""Executes the changes of a plan, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from bai.compiler.resources.sweep import SweepId
from bai.runtime.code.snapshots import Snapshots
from bai.runtime.errors import ConsentError
from bai.runtime.plan.diff import renewed
from bai.runtime.plan.plan import Action, Change, Plan
from bai.runtime.provider.base import Provider
from bai.specs.errors import ConflictError
from bai.specs.findings import FindingsError, errors

_WORDS = {
    Action.CREATE: "created",
    Action.UPDATE: "configured",
    Action.REPLACE: "replaced",
    Action.RERUN: "started again",
    Action.NONE: "unchanged",
}


@dataclass(frozen=True, slots=True)
class Applied:
    """A change that was made."""

    change: Change
    word: str
    """created, configured, replaced, started again or unchanged."""


def execute(
    plan: Plan, provider: Provider, *, replace_jobs: bool, snapshots: Snapshots | None = None
) -> Iterator[Applied]:
    """Make the changes of a plan, in order.

    Args:
        plan: what to do.
        provider: where; the one that the plan was made with.
        replace_jobs: whether the user agrees to new attempts of all jobs that have changed, also
            those for which the plan was not asked.
        snapshots: keeps the code of jobs; None where no job has any.

    Raises:
        FindingsError: the plan has errors; nothing has been changed.
        ConflictError: something changed since the plan was made, a job would be replaced without
            consent, or runs still, or a cluster would lose nodes in use; nothing has been changed.
        NotFoundError: the cluster of a job is gone; nothing has been changed.
        StorageError: the code of a job can't be copied; nothing has been changed.
    """
    if found := errors(plan.findings):
        raise FindingsError(found)
    _check_consent(plan, replace_jobs=replace_jobs)
    for change in plan.changes:
        _check_ended(change, plan.name(change.resource.id))
    desired = {change.resource.id: change.resource for change in plan.changes}
    for change in plan.pending:
        provider.validate(change.resource, desired)
    with ExitStack() as lock:
        if plan.is_pending:
            lock.enter_context(provider.plan_lock())
        current = renewed(plan, provider)
        if snapshots:
            # All of them before the first change: a full disk starts no half of the jobs.
            for change in current.pending:
                snapshots.keep(change.resource)
        return _execute(current, provider, lock.pop_all())


def _execute(plan: Plan, provider: Provider, lock: ExitStack) -> Iterator[Applied]:
    with lock:
        pending = {change.resource.id for change in plan.pending}
        seen = set[SweepId]()
        for change in plan.changes:
            sweep = plan.sweep_by_member.get(change.resource.id)
            if sweep and sweep.sweep.id not in seen:
                seen.add(sweep.sweep.id)
                # Before its members, if any of them is put.
                if sweep.is_pending or not pending.isdisjoint(sweep.members):
                    provider.put_sweep(sweep.sweep)
            if change.action is not Action.NONE:
                # A command that makes no plan may have changed something since the last look.
                attempt = change.live.attempt if change.live else None
                provider.put(change.resource, attempt.number + 1 if attempt else 1)
            yield Applied(change, _WORDS[change.action])


def _check_consent(plan: Plan, *, replace_jobs: bool) -> None:
    """Check that the user agrees to all new attempts.

    Raises:
        ConsentError: not to those of some jobs.
    """
    if plan.unasked and not replace_jobs:
        raise ConsentError([plan.name(change.resource.id) for change in plan.unasked])


def _check_ended(change: Change, name: str) -> None:
    """Check that a job that gets a new attempt does not run.

    Raises:
        ConflictError: it does.
    """
    if change.action not in (Action.REPLACE, Action.RERUN):
        return
    attempt = change.live.attempt if change.live else None
    if attempt and not attempt.state.ended:
        place = f"{change.resource.id.experiment}/{change.resource.id.name}"
        raise ConflictError(
            f"the job {name} is {attempt.state}: wait for its end (`bai wait {place}`) or cancel "
            f"it (`bai cancel {place}`) before a new attempt"
        )
