"""The sweeps of a plan, as `diff` and `apply` show them."""

from __future__ import annotations

from typing import Any

from bai.cli.render.values import value_text
from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.sweep import SweepId, point_of, point_text
from bai.runtime.plan.plan import Action, Change, Plan, SweepChange


class PlannedSweeps:
    """The sweeps of a plan, while its changes are printed in their order."""

    def __init__(self, plan: Plan) -> None:
        """Show the sweeps of a plan."""
        self._plan = plan
        self._begun = set[SweepId]()
        self._shown = set[SweepId]()

    def heading(self, id: ResourceId) -> str | None:
        """Return the lines to print before a resource: its sweep's, before the first one."""
        found = self._plan.sweep_by_member.get(id)
        if found is None or found.sweep.id in self._begun:
            return None
        self._begun.add(found.sweep.id)
        return _heading(found)

    def others(self) -> list[str]:
        """Return the lines of each sweep of which only the settings change."""
        left = (each for each in self._plan.sweeps if each.sweep.id not in self._begun)
        return [_heading(each) for each in left if each.is_pending]

    def point(self, change: Change) -> str:
        """Return what tells a member from the others: `environment.SEED=1, lr=0.1`."""
        if change.resource.id not in self._plan.sweep_by_member:
            return ""
        return point_text(point_of(change.resource.wire))

    def is_like_another(self, change: Change) -> bool:
        """Return whether a member is created, and one before it was shown in full."""
        found = self._plan.sweep_by_member.get(change.resource.id)
        if found is None or change.action is not Action.CREATE:
            return False
        if found.sweep.id in self._shown:
            return True
        self._shown.add(found.sweep.id)
        return False


def _heading(change: SweepChange) -> str:
    """Return the lines of a sweep; the first begins with the sign of what is done to it."""
    name = f"{change.sweep.id.label}  {change.summary}"
    if change.live is None:
        settings = [f"{key}: {value_text(value)}" for key, value in change.sweep.to_json().items()]
        return "\n".join([f"+ {name}", *(f"    + {each}" for each in settings)])
    old, new = change.live.to_json(), change.sweep.to_json()
    pairs = {key: (old.get(key), new.get(key)) for key in {**old, **new}}
    lines = [
        f"    ~ {key}: {_or_none(before)} -> {_or_none(after)}"
        for key, (before, after) in pairs.items()
        if before != after
    ]
    return "\n".join([f"{'~' if lines else '='} {name}", *lines])


def _or_none(value: Any) -> str:
    return "none" if value is None else value_text(value)
