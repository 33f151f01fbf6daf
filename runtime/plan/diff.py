"""Compares desired and live resources: makes a plan, and checks that it is still current."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import Final

from bai.compiler.compilation import Compilation, members_by_sweep
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.sweep import Sweep
from bai.runtime.code.snapshots import Snapshots, snapshot_name, with_snapshot
from bai.runtime.jobs.records import LiveResource
from bai.runtime.plan.differences import Difference, compare
from bai.runtime.plan.newer_files import NewerFiles
from bai.runtime.plan.plan import Action, Change, Plan, SweepChange
from bai.runtime.plan.preconditions import IN_PLACE, check_preconditions
from bai.runtime.provider.base import Provider
from bai.specs.codes import make_finding
from bai.specs.errors import ConflictError
from bai.specs.findings import Finding, in_order

_REFUSED_AS: Final = {"BAI403": "BAI407", "BAI405": "BAI721", "BAI710": "BAI405"}
"""Code -> code that covers the same more precisely, if both are found at one place."""


def make_plan(
    compilations: Iterable[Compilation],
    provider: Provider,
    *,
    rerun: bool | Collection[ResourceId] = False,
    noticed: Mapping[ResourceId, Sequence[Finding]] = MappingProxyType({}),
    newer: NewerFiles | None = None,
    snapshots: Snapshots | None = None,
) -> Plan:
    """Compare desired and live resources.

    Args:
        compilations: what is desired, without errors.
        provider: holds the live resources.
        rerun: whether jobs that have changed or ended shall run again, or which ones.
        noticed: further findings about resources; only those of resources to change are kept.
        newer: looks for files that have changed since the jobs ran; None to look for none.
        snapshots: compares the code of jobs; None where no job has any.

    Returns:
        The plan; what can't be done is among its findings, with the places in the user's files.
    """
    found = tuple(compilations)
    desired = {resource.id: resource for each in found for resource in each.resources}
    resources = sorted(desired.values(), key=lambda resource: list(Kind).index(resource.id.kind))
    changes = [_change(resource, provider.get(resource.id), rerun=rerun) for resource in resources]
    if snapshots:
        changes = [_with_code(change, snapshots) for change in changes]
    if newer:
        changes = [_with_newer(change, newer) for change in changes]
    findings = [finding for each in found for finding in each.findings]
    for change in changes:
        findings += check_preconditions(change, desired, provider)
        if change.action not in (Action.NONE, Action.REFUSE):
            findings += noticed.get(change.resource.id, ())
    sweeps = _sweeps(found, desired, provider)
    findings += (wrong for each in sweeps for wrong in _unkept(each.sweep, provider))
    notes = tuple(note for each in found for note in each.notes)
    unput = (Action.NONE, Action.REFUSE)
    put = (each.resource for each in changes if each.action not in unput)
    notes += tuple(note for resource in put for note in provider.consequences(resource))
    places = (resource.spans for each in found for resource in each.resources)
    files = (span.file for spans in places for span in islice(spans.values(), 1))
    # Jobs that share a cluster share what is wrong with its mounts.
    all_findings = in_order(_without_repeated(findings), files)
    namesakes = {
        alike for id in desired for alike in provider.ids(id.kind, name=id.name)
    } - desired.keys()
    return Plan(tuple(changes), all_findings, notes, tuple(namesakes), sweeps)


def _unkept(sweep: Sweep, provider: Provider) -> Iterator[Finding]:
    """Iterate over findings about settings of a sweep that its provider can't keep."""
    for setting in provider.unkept(sweep):
        message = f"the sweep {sweep.id.name}: {setting} can't be kept in this context"
        hint = f"leave {setting} out, or choose another context"
        yield make_finding("BAI812", message, sweep.span, hint)


def _sweeps(
    compilations: Iterable[Compilation], desired: Mapping[ResourceId, Resource], provider: Provider
) -> tuple[SweepChange, ...]:
    """Return the sweeps of compilations; their members are among the desired resources."""
    sweeps = {sweep.id: sweep for each in compilations for sweep in each.sweeps}
    members = members_by_sweep(desired.values()) if sweeps else {}
    return tuple(
        SweepChange(sweep, provider.sweep(id), tuple(members.get(id, ())))
        for id, sweep in sweeps.items()
    )


def _without_repeated(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings without those that another one at the same place makes needless."""
    all_findings = tuple(findings)
    refused = {(finding.code, finding.span) for finding in all_findings}
    return tuple(
        finding
        for finding in all_findings
        if (_REFUSED_AS.get(finding.code), finding.span) not in refused
    )


def _change(
    resource: Resource, live: LiveResource | None, *, rerun: bool | Collection[ResourceId]
) -> Change:
    if live is None:
        return Change(Action.CREATE, resource, None)
    resource = _with_live_values(resource, live)
    differences = tuple(compare(live.wire, resource.to_wire()))
    kind = resource.id.kind
    if kind is Kind.JOB:
        named = not isinstance(rerun, bool) and resource.id in rerun
        asked = named or rerun is True
        if differences:
            reason = "jobs are immutable"
            return Change(Action.REPLACE, resource, live, differences, reason, asked)
        ended = live.attempt is None or live.attempt.state.ended
        # A job that is named although it still runs is an error of the plan's execution.
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


def _with_live_values(resource: Resource, live: LiveResource) -> Resource:
    """Return a resource with the live values of what the user says nothing of."""
    kept = {key: live.wire[key] for key in resource.left_open if key in live.wire}
    return replace(resource, wire={**resource.wire, **kept}) if kept else resource


def _with_code(change: Change, snapshots: Snapshots) -> Change:
    """Return a change; that of a job with other code with one difference for all of the code."""
    if change.action is not Action.REPLACE or change.live is None:
        return change
    words = snapshots.change(change.live.wire, change.resource)
    if words is None:
        return change
    desired = change.resource.to_wire()
    alike = with_snapshot(change.live.wire, snapshot_name(desired))
    differences = (Difference(("code",), *words), *compare(alike, desired))
    return replace(change, differences=differences, alike=alike)


def _with_newer(change: Change, newer: NewerFiles) -> Change:
    """Return a change; that of an unchanged job with the files in its mounts that have changed."""
    attempt = change.live.attempt if change.live else None
    if change.action is not Action.NONE or attempt is None:
        return change
    return replace(change, newer=newer.of(change.resource.to_wire()["properties"], attempt))


def renewed(plan: Plan, provider: Provider) -> Plan:
    """Return a plan against the present live resources.

    A resource that another command has created meanwhile, as desired, is unchanged.

    Raises:
        ConflictError: any other live resource differs from what the plan was made from.
    """
    changes = [_renewed(change, provider.get(change.resource.id)) for change in plan.changes]
    pairs = zip(plan.changes, changes, strict=True)
    if stale := [plan.label(old.resource.id) for old, new in pairs if new is None]:
        raise ConflictError(
            f"{', '.join(stale)} changed since the plan was made: `bai diff` shows what is left"
        )
    return replace(plan, changes=tuple(change for change in changes if change))


def _renewed(change: Change, live: LiveResource | None) -> Change | None:
    if live is None or change.live is None:
        if live is None and change.live is None:
            return change
        now = _change(change.resource, live, rerun=False)
        return now if now.action is Action.NONE else None
    # An unchanged job may have got another attempt since.
    same_attempt = change.action is Action.NONE or _attempt(live) == _attempt(change.live)
    return change if live.wire == change.live.wire and same_attempt else None


def _attempt(live: LiveResource) -> str | None:
    return live.attempt.uuid if live.attempt else None
