"""Which members of sweeps may enter the queue, and which are cancelled after failures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from bai.compiler.resources.ids import ResourceId
from bai.runtime.jobs.waiting import Waiting
from bai.runtime.scheduling.instructions import Release, Withdraw
from bai.runtime.scheduling.records import Queued, SweepLimits
from bai.runtime.scheduling.view import ClusterView


def members(view: ClusterView) -> tuple[Release | Withdraw, ...]:
    """Return which held members are released, and which members are cancelled.

    A member is held where its sweep has a concurrency. It is released, the oldest first, as soon as
    fewer members are active: in a queue, or running. One that is queued again stays active.

    After too many failures, members that wait for their first run are cancelled; the others go on.

    Costs what it changes, plus one look at each sweep that has not ended, and its active members.
    """
    return tuple(each for sweep in view.sweeps() for each in _of_sweep(view, sweep))


def held_waiting(view: ClusterView, held: Queued) -> Waiting | None:
    """Return what a held member of a sweep waits for; None if it is to be released now."""
    sweep = view.sweep(str(held.sweep))
    if sweep is None:
        return None
    return _waiting(sweep, held, view.held_before(held), _places(view, sweep))


def held_waits(view: ClusterView) -> Iterator[tuple[str, Waiting]]:
    """Iterate over the held members of all sweeps, and what each waits for."""
    for sweep in view.sweeps():
        places = _places(view, sweep)
        for before, held in enumerate(view.held(sweep.sweep)):
            if wait := _waiting(sweep, held, before, places):
                yield held.attempt, wait


def _of_sweep(view: ClusterView, sweep: SweepLimits) -> Iterator[Release | Withdraw]:
    if sweep.has_failed:
        for member in view.unstarted(sweep.sweep):
            yield Withdraw(member.attempt, sweep.sweep, sweep.failures)
    elif next(view.held(sweep.sweep), None):
        for member in islice(view.held(sweep.sweep), _places(view, sweep)):
            yield Release(member.attempt)


def _places(view: ClusterView, sweep: SweepLimits) -> int | None:
    """Return how many members may be released; None for any number."""
    if sweep.concurrency is None:
        return None
    return max(0, sweep.concurrency - view.active(sweep.sweep))


def _waiting(sweep: SweepLimits, held: Queued, before: int, places: int | None) -> Waiting | None:
    """Return what a held member waits for, behind so many others and with so many places free."""
    if sweep.concurrency is None or places is None or before < places:
        return None
    return Waiting(
        ResourceId.parse(held.job),
        ResourceId.parse(held.cluster),
        "sweep",
        needed=before,
        total=sweep.concurrency,
        sweep=sweep.sweep.rpartition("/")[2],
    )
