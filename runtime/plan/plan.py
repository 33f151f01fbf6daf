"""The plan: the ordered changes from live to desired resources, and how their wire forms differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.resource import Resource
from bai.runtime.jobs.records import Attempt, ExecutionState, LiveResource
from bai.runtime.plan.newer_files import ChangedFiles
from bai.specs.findings import Finding, Path

MISSING: Any = None
"""Stands for a value that one side does not have; no wire form contains None."""

_KEYED = {
    "azureFileShares": "relativeMountPath",
    "azureBlobFileSystems": "relativeMountPath",
    "fileServers": "relativeMountPath",
    "unmanagedFileSystems": "relativeMountPath",
    "inputDirectories": "id",
    "outputDirectories": "id",
    "environmentVariables": "name",
    "secrets": "name",
}
"""Lists whose entries are known by a key, so that an insertion is one difference."""
_DEFAULTS: Final[dict[Path, Any]] = {
    ("properties", "scaleSettings", "manual", "nodeDeallocationOption"): "requeue"
}
"""Path -> what it means that nothing stands there."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that is not the same on both sides."""

    path: Path
    before: Any
    """The live value; MISSING if there is none."""
    after: Any
    """The desired value; MISSING if it goes."""

    @property
    def place(self) -> str:
        """The path in one word, without the `properties` that everything is under."""
        return ".".join(map(str, self.path)).removeprefix("properties.")

    def __str__(self) -> str:
        return f"{self.place}: {self.before!r} -> {self.after!r}"


def compare(before: Any, after: Any, path: Path = ()) -> Iterator[Difference]:
    """Iterate over the differences between two wire forms, in the order of the keys."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from compare(before.get(key), after.get(key), (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        key = _KEYED.get(str(path[-1])) if path else None
        left, right = _by_key(before, key), _by_key(after, key)
        yield from compare(left, right, path)
    else:
        default = _DEFAULTS.get(path)
        values = [default if value is None else value for value in (before, after)]
        if values[0] != values[1] or type(values[0]) is not type(values[1]):
            yield Difference(path, before, after)


def _by_key(items: list[Any], key: str | None) -> dict[Any, Any]:
    if key is not None and all(isinstance(item, dict) for item in items):
        names = [item.get(key) for item in items]
        if all(isinstance(name, str) for name in names) and len(set(names)) == len(names):
            return dict(zip(names, items, strict=True))
    return dict(enumerate(items))


class Action(StrEnum):
    """What is done to a resource."""

    CREATE = "create"
    UPDATE = "update"
    """Changed in place."""
    REPLACE = "replace"
    """A job in the place of one that differs: a new attempt."""
    RERUN = "rerun"
    """A new attempt of the same job."""
    REFUSE = "refuse"
    """A change that Batch AI does not allow."""
    NONE = "unchanged"


@dataclass(frozen=True, slots=True)
class Change:
    """One step of a plan."""

    action: Action
    resource: Resource
    live: LiveResource | None
    differences: tuple[Difference, ...] = ()
    reason: str | None = None
    """Why it can't be done in place."""
    asked: bool = False
    """Whether a new attempt of this job was asked for."""
    newer: tuple[ChangedFiles, ...] = ()
    """Files in the mounts of an unchanged job that have changed since its last attempt."""

    @property
    def newer_files(self) -> str | None:
        """The sentence about `newer`: `train.py in mount code has changed since attempt 1`."""
        attempt = self.live.attempt if self.live else None
        return files_have_changed(self.newer, attempt.number) if self.newer and attempt else None

    @property
    def failed(self) -> Attempt | None:
        """The newest attempt of an unchanged job, if that has failed."""
        attempt = self.live.attempt if self.live and self.action is Action.NONE else None
        return attempt if attempt and attempt.state is ExecutionState.FAILED else None

    def __str__(self) -> str:
        lines = [f"{self.action} {self.resource.id.label}"]
        if self.failed:
            lines[0] += f" ({self.failed.outcome})"
        if self.newer_files:
            lines[0] += f", but {self.newer_files} (rerun=True runs it again)"
        return "\n".join(lines + [f"    {difference}" for difference in self.differences])


def files_have_changed(newer: Sequence[ChangedFiles], number: int) -> str:
    """Return the sentence that files of mounts have changed since the attempt of a number."""
    have = "have" if sum(len(each.names) for each in newer) > 1 else "has"
    return f"{', '.join(map(str, newer))} {have} changed since attempt {number}"


@dataclass(frozen=True, slots=True, repr=False)
class Plan:
    """What `diff` shows and `apply` executes."""

    changes: tuple[Change, ...]
    """Every desired resource, in the order in which they must exist."""
    findings: tuple[Finding, ...]
    """In the order of the text."""
    notes: tuple[str, ...] = ()
    namesakes: tuple[ResourceId, ...] = ()
    """Other live resources with the name of one of the desired."""

    @property
    def pending(self) -> tuple[Change, ...]:
        """The changes that do something."""
        return tuple(change for change in self.changes if change.action is not Action.NONE)

    @property
    def replaced_jobs(self) -> tuple[Change, ...]:
        """The jobs that a new attempt would take the place of."""
        return tuple(change for change in self.changes if change.action is Action.REPLACE)

    @property
    def unasked(self) -> tuple[Change, ...]:
        """Those of `replaced_jobs` for which no new attempt was asked for."""
        return tuple(change for change in self.replaced_jobs if not change.asked)

    def name(self, id: ResourceId) -> str:
        """Return a resource's shortest name in this plan: `train`, `one/train` if two have it."""
        return id.short_name(change.resource.id for change in self.changes)

    def label(self, id: ResourceId) -> str:
        """Return a resource's kind and the name that commands take: `job/train`, `job/one/train`.

        Unlike `name`, it depends on what else lives.
        """
        ids = (*(change.resource.id for change in self.changes), *self.namesakes)
        return f"{id.kind.singular}/{id.short_name(ids)}"

    @property
    def totals(self) -> str:
        """How much there is to do: `1 to create, 3 unchanged`."""
        counts = Counter(change.action for change in self.changes)
        same = counts.pop(Action.NONE, 0)
        words = [f"{count} to {action}" for action, count in counts.items()]
        return ", ".join([*words, f"{same} unchanged"] if same else words)

    def __str__(self) -> str:
        left = (change for change in self.changes if change.newer or change.failed)
        return "\n".join(map(str, (*self.pending, *left, *self.findings, self.totals)))

    def __repr__(self) -> str:
        return f"<Plan: {self.totals}>"
