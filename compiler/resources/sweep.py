"""What a sweep's members do not say: how many run at once, and when no more are started."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.reserved import MEMBER_VARIABLE, SWEEP_VARIABLE, variable_of
from bai.specs.findings import Span
from bai.specs.words import counted

_PART: Final = "/sweeps/"


class SweepId(NamedTuple):
    """The full name of a sweep: that of its experiment, and its own. `str()` is like an ARM id."""

    experiment: ResourceId
    name: str

    def __str__(self) -> str:
        return f"{self.experiment}{_PART}{self.name}"

    @property
    def label(self) -> str:
        """The name as commands take it in the place of a job's: `sweep/train`."""
        return f"sweep/{self.name}"

    def is_called(self, name: str) -> bool:
        """Return whether this has a name: NAME, EXPERIMENT/NAME and so on, in any case."""
        names = (*self.experiment.address, self.name)
        return f"/{'/'.join(names)}".lower().endswith(f"/{name}".lower())

    @classmethod
    def parse(cls, text: str) -> SweepId:
        """Read what `str()` gives.

        Raises:
            ValueError: `text` is no such id.
        """
        experiment, part, name = text.rpartition(_PART)
        if not part:
            raise ValueError(f"not the id of a sweep: {text}")
        return cls(ResourceId.parse(experiment), name)


class Goal(StrEnum):
    """Which values of a metric are the better ones."""

    MINIMIZE = "minimize"
    MAXIMIZE = "maximize"


@dataclass(frozen=True, slots=True)
class Objective:
    """The metric that members are compared by."""

    metric: str
    goal: Goal = Goal.MINIMIZE


@dataclass(frozen=True, slots=True)
class MedianRule:
    """Ends a member whose best value is worse than the median of the others at the same step."""

    after: int = 0
    """The first step that it looks at."""

    @property
    def fewest(self) -> int:
        """How many members there must be for one to be ended: it and three others."""
        return 4


@dataclass(frozen=True, slots=True)
class SuccessiveHalving:
    """Ends, at steps that grow by a factor, members that are not among the best 1/factor."""

    factor: int = 3
    first: int = 1
    """The first of these steps."""

    @property
    def fewest(self) -> int:
        """How many members there must be for one to be ended."""
        return self.factor


@dataclass(frozen=True, slots=True)
class Sweep:
    """The settings of a sweep."""

    id: SweepId
    concurrency: int | None = None
    """How many members run at once; None for any number."""
    stop_after_failures: int | None = None
    """After so many failed members no more are started; None for never."""
    objective: Objective | None = None
    early_stopping: MedianRule | SuccessiveHalving | None = None
    span: Span | None = field(default=None, compare=False)
    """Where it is written, if it comes from a spec."""

    def summary(self, members: int) -> str:
        """Return how many members it has, and how many run at once: `12 jobs, 4 at once`."""
        limit = f", {self.concurrency} at once" if self.concurrency else ""
        return counted(members, "job") + limit

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON data, with the keys of a spec."""
        found: dict[str, Any] = {
            "concurrency": self.concurrency,
            "stopAfterFailures": self.stop_after_failures,
            "objective": self.objective
            and {"metric": self.objective.metric, "goal": self.objective.goal.value},
            "earlyStopping": _rule_to_json(self.early_stopping),
        }
        return {key: value for key, value in found.items() if value is not None}

    @classmethod
    def from_json(cls, id: SweepId, settings: Mapping[str, Any]) -> Sweep:
        """Return a sweep with the settings that `to_json` gives.

        Raises:
            ValueError, KeyError, TypeError: they are none.
        """
        objective = settings.get("objective")
        return cls(
            id,
            settings.get("concurrency"),
            settings.get("stopAfterFailures"),
            Objective(objective["metric"], Goal(objective["goal"])) if objective else None,
            _rule_from_json(settings.get("earlyStopping")),
        )


def sweep_of(job: ResourceId, wire: Mapping[str, Any]) -> SweepId | None:
    """Return the sweep that a job is a member of, from its wire form; None if it is none."""
    name = variable_of(wire.get("properties", {}), SWEEP_VARIABLE)
    return SweepId(job.sibling(Kind.EXPERIMENT, str(job.experiment)), name) if name else None


def point_of(wire: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what tells a member from the others of its sweep: key of the space -> value."""
    try:
        found = json.loads(variable_of(wire.get("properties", {}), MEMBER_VARIABLE) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def point_text(point: Mapping[str, Any]) -> str:
    """Return a point in words: `environment.SEED=1, lr=0.1`."""
    return ", ".join(
        f"{key}={value if _is_plain(value) else json.dumps(value, ensure_ascii=False)}"
        for key, value in point.items()
    )


def _is_plain(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()


def _rule_to_json(rule: MedianRule | SuccessiveHalving | None) -> dict[str, Any] | None:
    match rule:
        case MedianRule():
            return {"rule": "median", "after": rule.after}
        case SuccessiveHalving():
            return {"rule": "successiveHalving", "factor": rule.factor, "first": rule.first}
    return None


def _rule_from_json(rule: Mapping[str, Any] | None) -> MedianRule | SuccessiveHalving | None:
    match rule:
        case None:
            return None
        case {"rule": "median", "after": int(after)}:
            return MedianRule(after)
        case {"rule": "successiveHalving", "factor": int(factor), "first": int(first)}:
            return SuccessiveHalving(factor, first)
    raise ValueError(f"no rule of early stopping: {rule}")
