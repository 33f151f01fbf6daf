"""The plan: the ordered changes from live to desired resources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.short_names import ShortNames
from bai.compiler.resources.sweep import Sweep
from bai.runtime.jobs.records import Attempt, LiveResource
from bai.runtime.plan.differences import Difference, compare
from bai.runtime.plan.newer_files import ChangedFiles
from bai.runtime.plan.spec_words import spec_differences
from bai.specs.findings import Finding


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
    """Those of the wire forms, with one for all of the code."""
    reason: str | None = None
    """Why it can't be done in place."""
    asked: bool = False
    """Whether a new attempt of this job was asked for."""
    newer: tuple[ChangedFiles, ...] = ()
    """Files in the mounts of an unchanged job that have changed since its last attempt."""
    alike: Mapping[str, Any] | None = None
    """The live wire form with the code that is wanted, where the code differs."""

    @property
    def is_unasked(self) -> bool:
        """Whether a new attempt would take the place of a job without being asked for."""
        return self.action is Action.REPLACE and not self.asked

    @property
    def in_spec(self) -> tuple[Difference, ...]:
        """The differences in the words of specs: `mounts.results.azureFile.key`."""
        if self.live is None or not self.differences:
            return ()
        code = tuple(each for each in self.differences if each.path == ("code",))
        before = self.alike or self.live.wire
        found = (*code, *spec_differences(self.resource.id, before, self.resource.to_wire()))
        # What specs can't express differs all the same.
        return found or self.differences

    @property
    def on_wire(self) -> tuple[Difference, ...]:
        """The differences of the wire forms, with all that is different where the code is."""
        if self.alike is None or self.live is None:
            return self.differences
        return tuple(compare(self.live.wire, self.resource.to_wire()))

    @property
    def newer_files(self) -> str | None:
        """The sentence about `newer`: `train.py in mount code has changed since attempt 1`."""
        attempt = self.live.attempt if self.live else None
        return files_have_changed(self.newer, attempt.number) if self.newer and attempt else None

    @property
    def failed(self) -> Attempt | None:
        """The newest attempt of an unchanged job, if that has failed."""
        attempt = self.live.attempt if self.live and self.action is Action.NONE else None
        return attempt if attempt and attempt.has_failed else None

    def __str__(self) -> str:
        lines = [f"{self.action} {self.resource.id.label}"]
        if self.failed:
            lines[0] += f" ({self.failed.outcome})"
        if self.newer_files:
            lines[0] += f", but {self.newer_files} (rerun=True runs it again)"
        return "\n".join(lines + [f"    {difference}" for difference in self.in_spec])


def files_have_changed(newer: Sequence[ChangedFiles], number: int) -> str:
    """Return the sentence that files of mounts have changed since the attempt of a number."""
    have = "have" if sum(len(each.names) for each in newer) > 1 else "has"
    return f"{', '.join(map(str, newer))} {have} changed since attempt {number}"


@dataclass(frozen=True, slots=True)
class SweepChange:
    """A sweep of the desired jobs, with the settings that no member has."""

    sweep: Sweep
    live: Sweep | None
    """The same as it lives; None if there is none."""
    members: tuple[ResourceId, ...]

    @property
    def is_pending(self) -> bool:
        """Whether its settings are to be changed."""
        return self.live != self.sweep

    @property
    def summary(self) -> str:
        """How many members there are, and how many run at once: `12 jobs, 4 at once`."""
        return self.sweep.summary(len(self.members))

    def __str__(self) -> str:
        word = "change" if self.live else "create"
        return f"{word} sweep {self.sweep.id.name}: {self.summary}"


@dataclass(frozen=True, repr=False)
class Plan:
    """What `diff` shows and `apply` executes."""

    changes: tuple[Change, ...]
    """Every desired resource, in the order in which they must exist."""
    findings: tuple[Finding, ...]
    """In the order of the text."""
    notes: tuple[str, ...] = ()
    namesakes: tuple[ResourceId, ...] = ()
    """Other live resources with the name of one of the desired."""
    sweeps: tuple[SweepChange, ...] = ()
    """The sweeps whose members are among the desired jobs."""

    @property
    def is_pending(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.pending) or any(each.is_pending for each in self.sweeps)

    @property
    def pending(self) -> tuple[Change, ...]:
        """The changes that do something."""
        return tuple(change for change in self.changes if change.action is not Action.NONE)

    @property
    def unasked(self) -> tuple[Change, ...]:
        """The jobs that new attempts would take the place of, without being asked for."""
        return tuple(change for change in self.changes if change.is_unasked)

    @cached_property
    def sweep_by_member(self) -> Mapping[ResourceId, SweepChange]:
        """Member -> its sweep."""
        return {member: each for each in self.sweeps for member in each.members}

    def name(self, id: ResourceId) -> str:
        """Return a resource's shortest name in this plan: `train`, `one/train` if two have it."""
        return self._names.name(id)

    def label(self, id: ResourceId) -> str:
        """Return a resource's kind and the name that commands take: `job/train`, `job/one/train`.

        Unlike `name`, it depends on what else lives.
        """
        return self._live_names.label(id)

    @cached_property
    def _names(self) -> ShortNames:
        return ShortNames(change.resource.id for change in self.changes)

    @cached_property
    def _live_names(self) -> ShortNames:
        return ShortNames((*(change.resource.id for change in self.changes), *self.namesakes))

    @property
    def totals(self) -> str:
        """How much there is to do: `1 to create, 3 unchanged`."""
        counts = Counter(change.action for change in self.changes)
        same = counts.pop(Action.NONE, 0)
        words = [f"{count} to {action}" for action, count in counts.items()]
        return ", ".join([*words, f"{same} unchanged"] if same else words)

    def __str__(self) -> str:
        left = (change for change in self.changes if change.newer or change.failed)
        sweeps = (each for each in self.sweeps if each.is_pending)
        return "\n".join(map(str, (*sweeps, *self.pending, *left, *self.findings, self.totals)))

    def __repr__(self) -> str:
        return f"<Plan: {self.totals}>"
