"""The members of sweeps in memory, as `MemoryState` keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

from bai.runtime.scheduling.ordered import Ordered
from bai.runtime.scheduling.records import Queued, SweepLimits


class MemorySweeps:
    """Limits and members of sweeps, with an index for each query."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._limits: dict[str, SweepLimits] = {}
        self._members: dict[str, _Members] = {}
        self._unstarted: dict[str, Queued] = {}
        """Attempt -> member that is held, or waits for its first run."""

    def put_sweep(self, sweep: str, concurrency: int | None, most_failures: int | None) -> None:
        """Set the limits of a sweep, and count failures of its members from now on."""
        self._limits[sweep] = SweepLimits(sweep, concurrency, most_failures, 0)

    # Queries

    def sweep(self, sweep: str) -> SweepLimits | None:
        """Return the limits of a sweep; None if none were put."""
        return self._limits.get(sweep)

    def sweeps(self) -> list[SweepLimits]:
        """Return the sweeps with members that have not ended, by name."""
        found = (name for name, each in self._members.items() if each.active or each.held)
        return [self._limits[name] for name in sorted(found) if name in self._limits]

    def held(self, sweep: str) -> Iterator[Queued]:
        """Return the held members of a sweep, oldest first."""
        return (self._unstarted[name] for _, name in self._of(sweep).held)

    def held_member(self, attempt: str) -> Queued | None:
        """Return an attempt that is held; None if it is not."""
        member = self._unstarted.get(attempt)
        return member if member and self._of(str(member.sweep)).holds(member) else None

    def held_before(self, queued: Queued) -> int:
        """Return how many held members of its sweep are older than this one."""
        return self._of(str(queued.sweep)).held.before((queued.order, queued.attempt))

    def active(self, sweep: str) -> int:
        """Return how many members of a sweep are neither held nor have ended."""
        return self._of(sweep).active

    def unstarted(self, sweep: str) -> Iterator[Queued]:
        """Return the members of a sweep that wait for their first run."""
        members = self._of(sweep)
        return (self._unstarted[name] for _, name in chain(members.fresh, members.held))

    # What happens; an attempt that is no member of a sweep changes nothing

    def add_member(self, queued: Queued, *, held: bool) -> None:
        """Add a new member."""
        if queued.sweep is None:
            return
        self._unstarted[queued.attempt] = queued
        members = self._of(queued.sweep)
        (members.held if held else members.fresh).add((queued.order, queued.attempt))
        members.active += not held

    def release_member(self, attempt: str) -> Queued:
        """Release a held member, and return it."""
        member = self._unstarted[attempt]
        members = self._of(str(member.sweep))
        members.held.remove((member.order, attempt))
        members.fresh.add((member.order, attempt))
        members.active += 1
        return member

    def start_member(self, attempt: str) -> None:
        """Record that a member has its first run, or will get none."""
        if member := self._unstarted.pop(attempt, None):
            self._of(str(member.sweep)).fresh.remove((member.order, attempt))

    def end_member(self, queued: Queued, *, failed: bool = False) -> None:
        """Record that a member has ended."""
        if queued.sweep is None:
            return
        if failed and (limits := self._limits.get(queued.sweep)):
            self._limits[queued.sweep] = replace(limits, failures=limits.failures + 1)
        members = self._of(queued.sweep)
        if members.holds(queued):
            members.held.remove((queued.order, queued.attempt))
            del self._unstarted[queued.attempt]
            return
        self.start_member(queued.attempt)
        members.active -= 1

    def _of(self, sweep: str) -> _Members:
        return self._members.setdefault(sweep, _Members())


@dataclass(slots=True)
class _Members:
    """Members of a sweep, by age and name."""

    held: Ordered[tuple[int, str]] = field(default_factory=Ordered)
    fresh: Ordered[tuple[int, str]] = field(default_factory=Ordered)
    """Those that are not held and wait for their first run."""
    active: int = 0

    def holds(self, member: Queued) -> bool:
        return next(self.held.starting((member.order,)), None) == (member.order, member.attempt)
