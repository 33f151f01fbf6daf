"""In which order: the changes that lead from what lives to what is desired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from bai.compiler.compilation import Compilation
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.job import Job
from bai.compiler.resources.resource import Resource
from bai.runtime.mounts.newer_files import NewerFiles
from bai.runtime.plan.differences import Difference, compare
from bai.runtime.provider.base import Provider
from bai.runtime.provider.live import LiveResource
from bai.runtime.secrets import missing
from bai.specs.findings import Finding, Path, Severity, by_place
from bai.specs.names import suggestion
from bai.specs.secrets import STORAGE_KEY, SecretRef, parse_secret_marker


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


IN_PLACE = {Kind.CLUSTER: ("properties", "scaleSettings"), Kind.WORKSPACE: ("tags",)}
"""Kind -> the only part that changes in place, as in Batch AI."""


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
    newer: tuple[str, ...] = ()
    """Mounts of an unchanged job whose files have changed since its last attempt."""

    @property
    def newer_files(self) -> str | None:
        """What is to be said of `newer`: `files of mount code have changed since attempt 1`."""
        attempt = self.live.attempt if self.live else None
        return files_have_changed(self.newer, attempt.number) if self.newer and attempt else None

    def __str__(self) -> str:
        lines = [f"{self.action} {self.resource.id.label}"]
        if self.newer_files:
            lines[0] += f", but {self.newer_files} (rerun=True runs it again)"
        return "\n".join(lines + [f"    {difference}" for difference in self.differences])


def files_have_changed(mounts: Sequence[str], number: int) -> str:
    """Return that files of mounts have changed since the attempt of a number."""
    several = "s" if mounts[1:] else ""
    return f"files of mount{several} {', '.join(mounts)} have changed since attempt {number}"


@dataclass(frozen=True, slots=True, repr=False)
class Plan:
    """What `diff` shows and `apply` executes."""

    changes: tuple[Change, ...]
    """Every desired resource, in the order in which they must exist."""
    findings: tuple[Finding, ...]
    """In the order of the text."""
    notes: tuple[str, ...] = ()

    @property
    def pending(self) -> tuple[Change, ...]:
        """The changes that do something."""
        return tuple(change for change in self.changes if change.action is not Action.NONE)

    @property
    def touched(self) -> tuple[Change, ...]:
        """The jobs that are unchanged, but for files in their mounts."""
        return tuple(change for change in self.changes if change.newer)

    @property
    def replaced_jobs(self) -> tuple[Change, ...]:
        """The jobs that a new attempt would take the place of."""
        return tuple(change for change in self.changes if change.action is Action.REPLACE)

    @property
    def unasked(self) -> tuple[Change, ...]:
        """Those of `replaced_jobs` for which nobody asked for a new attempt."""
        return tuple(change for change in self.replaced_jobs if not change.asked)

    def name(self, id: ResourceId) -> str:
        """Return a resource's shortest name in this plan: `train`, `one/train` if two have it."""
        return id.short_name(change.resource.id for change in self.changes)

    def label(self, id: ResourceId) -> str:
        """Return a resource's kind and `name`: `job/train`, `job/one/train`."""
        return f"{id.kind.singular}/{self.name(id)}"

    @property
    def totals(self) -> str:
        """How much there is to do: `1 to create, 3 unchanged`."""
        counts = Counter(change.action for change in self.changes)
        same = counts.pop(Action.NONE, 0)
        words = [f"{count} to {action}" for action, count in counts.items()]
        return ", ".join([*words, f"{same} unchanged"] if same else words)

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.pending, *self.touched, *self.findings, self.totals)))

    def __repr__(self) -> str:
        return f"<Plan: {self.totals}>"


_REFUSED_AS: Final = {"BAI403": "BAI407", "BAI405": "BAI721", "BAI710": "BAI405"}
"""Code -> code that says the same, and more of it, if both stand at one place."""


def make_plan(
    compilations: Iterable[Compilation],
    provider: Provider,
    *,
    rerun: bool | Collection[ResourceId] = False,
    noticed: Mapping[ResourceId, Sequence[Finding]] = MappingProxyType({}),
    newer: NewerFiles | None = None,
) -> Plan:
    """Compare desired and live resources.

    Args:
        compilations: what is desired, without errors.
        provider: who holds what lives.
        rerun: whether jobs that have changed or ended shall run again, or which ones.
        noticed: what else keeps a resource from being put; told only of those that would be.
        newer: looks for files that have changed since the jobs ran; None to look for none.

    Returns:
        The plan; what can't be done is among its findings, with the places in the user's files.
    """
    found = tuple(compilations)
    desired = {resource.id: resource for each in found for resource in each.resources}
    resources = sorted(desired.values(), key=lambda resource: list(Kind).index(resource.id.kind))
    changes = [_change(resource, provider.get(resource.id), rerun=rerun) for resource in resources]
    if newer:
        changes = [_with_newer(change, newer) for change in changes]
    findings = [finding for each in found for finding in each.findings]
    for change in changes:
        findings += _refusal(change)
        if change.action in (Action.NONE, Action.REFUSE):
            continue
        findings += provider.check(change.resource, resources)
        findings += noticed.get(change.resource.id, ())
        findings += _missing_resources(change.resource, desired, provider)
        if isinstance(change.resource.body, Job):
            findings += _missing_secrets(change.resource)
    notes = tuple(note for each in found for note in each.notes)
    # Jobs that share a cluster share what is wrong with its mounts.
    told = _in_order(_without_repeated(dict.fromkeys(findings)), found)
    return Plan(tuple(changes), told, notes)


def _without_repeated(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings without those that another one at the same place makes needless."""
    all_findings = tuple(findings)
    refused = {(finding.code, finding.span) for finding in all_findings}
    return tuple(
        finding
        for finding in all_findings
        if (_REFUSED_AS.get(finding.code), finding.span) not in refused
    )


def _in_order(
    findings: Iterable[Finding], compilations: Iterable[Compilation]
) -> tuple[Finding, ...]:
    """Return findings in the order of the text, file by file as they were given."""
    files = dict.fromkeys(
        span.file
        for each in compilations
        for resource in each.resources
        for span in islice(resource.spans.values(), 1)
    )
    ranks = {file: rank for rank, file in enumerate(files)}

    def place(finding: Finding) -> tuple[int, tuple[int, int, str]]:
        rank = ranks.get(finding.span.file, len(ranks)) if finding.span else -1
        return rank, by_place(finding)

    return tuple(sorted(findings, key=place))


def _change(
    resource: Resource, live: LiveResource | None, *, rerun: bool | Collection[ResourceId]
) -> Change:
    if live is None:
        return Change(Action.CREATE, resource, None)
    differences = tuple(compare(live.body.to_wire(), resource.to_wire()))
    kind = resource.id.kind
    if kind is Kind.JOB:
        named = not isinstance(rerun, bool) and resource.id in rerun
        asked = named or rerun is True
        if differences:
            reason = "jobs are immutable"
            return Change(Action.REPLACE, resource, live, differences, reason, asked)
        ended = live.attempt is None or live.attempt.state.ended
        # Who names a job that still runs hears of that.
        again = asked and (named or ended)
        return Change(Action.RERUN if again else Action.NONE, resource, live, asked=asked)
    if not differences:
        return Change(Action.NONE, resource, live)
    part = IN_PLACE.get(kind, ("nothing",))
    if all(difference.path[: len(part)] == part for difference in differences):
        return Change(Action.UPDATE, resource, live, differences)
    words = {Kind.CLUSTER: "only the scale of a cluster", Kind.WORKSPACE: "only tags"}
    reason = f"{words.get(kind, 'nothing')} changes in place"
    return Change(Action.REFUSE, resource, live, differences, reason)


def _with_newer(change: Change, newer: NewerFiles) -> Change:
    """Return a change; of a job that is left alone, with its mounts of newer files."""
    attempt = change.live.attempt if change.live else None
    if change.action is not Action.NONE or attempt is None:
        return change
    return replace(change, newer=newer.mounts(change.resource.to_wire()["properties"], attempt))


def _refusal(change: Change) -> list[Finding]:
    if change.action is not Action.REFUSE:
        return []
    id = change.resource.id
    part = IN_PLACE.get(id.kind, ("nothing",))
    first = next(d for d in change.differences if d.path[: len(part)] != part)
    name = ".".join(map(str, first.path))
    message = f"the {id.kind.singular} {id.name} lives with another {name}; {change.reason}"
    hint = f"delete it first (`bai delete {id.kind.singular} {id.name}`) or choose another name"
    span = change.resource.span(*first.path)
    return [Finding("BAI406", Severity.ERROR, message, span, hint)]


_MOUNTED: Final[dict[Kind, Path]] = {
    Kind.JOB: ("properties", "mountVolumes", "fileServers"),
    Kind.CLUSTER: ("properties", "nodeSetup", "mountVolumes", "fileServers"),
}
"""Where the file servers that a resource mounts stand in its wire form."""


def _missing_resources(
    resource: Resource, desired: Mapping[ResourceId, Resource], provider: Provider
) -> Iterator[Finding]:
    """Yield a finding for each cluster and file server that a resource needs and nobody has."""
    for wanted, path in _needed(resource):
        if wanted in desired or provider.get(wanted):
            continue
        known = [live.id.name for live in provider.of_kind(wanted.kind, wanted.parent)]
        known += [id.name for id in desired if id.kind is wanted.kind]
        is_cluster = wanted.kind is Kind.CLUSTER
        part = "clusters" if is_cluster else "fileServers"
        hint = suggestion(wanted.name, known) if known else f"declare it under {part}"
        what = "cluster" if is_cluster else "file server"
        message = f"there is no {what} {wanted.name!r} in workspace {wanted.workspace}"
        yield Finding("BAI407", Severity.ERROR, message, resource.span(*path), hint)


def _needed(resource: Resource) -> Iterator[tuple[ResourceId, Path]]:
    """Yield the ids of the clusters and file servers that a resource names, and where."""
    if isinstance(resource.body, Job) and resource.body.properties.cluster:
        yield ResourceId.parse(resource.body.properties.cluster.id), ("properties", "cluster")
    if path := _MOUNTED.get(resource.id.kind):
        mounts: Any = resource.to_wire()
        for step in path:
            mounts = (mounts or {}).get(step)
        for index, mount in enumerate(mounts or ()):
            yield ResourceId.parse(mount["fileServer"]["id"]), (*path, index, "fileServer")


def _missing_secrets(resource: Resource) -> list[Finding]:
    """Return a finding for each secret of a job that can't be looked up now."""
    assert isinstance(resource.body, Job)
    references: dict[SecretRef, tuple[str | int, ...]] = {}
    for index, variable in enumerate(resource.body.properties.secrets or ()):
        if variable.value is not None and variable.value != STORAGE_KEY:
            reference = parse_secret_marker(variable.value)
            references[reference] = ("properties", "secrets", index)
    return [
        Finding("BAI604", Severity.ERROR, reason, resource.span(*references[reference]))
        for reference, reason in missing(references).items()
    ]


def changed_since(plan: Plan, provider: Provider) -> Sequence[Change]:
    """Return the changes whose live side is not any more what the plan saw."""
    stale = []
    for change in plan.changes:
        live = provider.get(change.resource.id)
        if (live is None) != (change.live is None):
            stale.append(change)
        elif live and change.live:
            # What the plan leaves alone need only be there still; it may well run again.
            same_attempt = change.action is Action.NONE or _attempt(live) == _attempt(change.live)
            if live.body != change.live.body or not same_attempt:
                stale.append(change)
    return stale


def _attempt(live: LiveResource) -> str | None:
    return live.attempt.uuid if live.attempt else None
