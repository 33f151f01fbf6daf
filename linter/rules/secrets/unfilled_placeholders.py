"""BAI611: a volume has only placeholders that are filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER, Kind
from bai.linter.context import RuleContext
from bai.linter.facts.memo import memo
from bai.linter.facts.placeholders import (
    Unfilled,
    may_be_unfilled,
    placeholder_meant,
    unfilled,
    unfilled_in_address,
)
from bai.linter.facts.volumes import BLOB_CONTAINERS, FILE_SHARES, Volume, volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule, without
from bai.linter.violation import Part, Violation
from bai.specs.findings import Path, Span
from bai.specs.placeholders import GAP, STORAGE_KEY_PLACEHOLDER

_WHAT: Final = {
    "accountName": "the storage account's name",
    "azureFileUrl": "the names of the account and the share",
    "containerName": "the container's name",
    "accountKey": f"{STORAGE_KEY_PLACEHOLDER}, or accountKeySecretReference",
}
"""Key -> what to write there."""
_MOST_LINES: Final = 10
"""Lines that a message names."""
_SPEC_WORDS: Final = {"azureFileUrl": "the share's name"}
"""The same in a spec, where only the share may be a placeholder here."""


class _Place(NamedTuple):
    """A place of a placeholder that is not misspelt."""

    resource: ResourceView
    path: Path
    part: str
    span: Span | None
    """None if places are not known."""


_UNMARKED: Final = without(rf"[<\[{{A-Z]|\{GAP}$|batchai")
_OF_ACCOUNT: Final = {
    "pattern": rf"^https://{STORAGE_ACCOUNT_PLACEHOLDER}\.file\.core\.windows\.net/[a-z0-9-]*$",
    **without("/.*batchai"),
}


@context_rule(
    "BAI611",
    Kind.JOB,
    Kind.CLUSTER,
    accepts={
        "accountName": {"anyOf": [_UNMARKED, {"enum": [STORAGE_ACCOUNT_PLACEHOLDER]}]},
        "azureFileUrl": {"anyOf": [_UNMARKED, _OF_ACCOUNT]},
        "containerName": _UNMARKED,
        "accountKey": {"enum": [STORAGE_KEY_PLACEHOLDER]},
    },
)
def unfilled_placeholders(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """A volume has only placeholders that are filled in."""
    found = _in_resource(resource)
    for path, each in found:
        if each.meant:
            message = f"nothing fills in {each.part!r}"
            yield Violation(
                Part(path, each.part, each.meant), message, f"did you mean {each.meant}?"
            )
    if not found:
        return
    for first, *others in _groups(context.items[0], context).get(resource, ()):
        key = str(first.path[-1])
        words = _SPEC_WORDS if resource.is_compiled and key in _SPEC_WORDS else _WHAT
        message = f"nothing fills in {first.part!r}{_elsewhere(first, others)}"
        yield Violation(Part(first.path, first.part), message, f"write {words[key]} in its place")


@memo
def _in_resource(resource: ResourceView) -> Sequence[tuple[Path, Unfilled]]:
    """Return (path, placeholder) of all placeholders that nothing fills in."""
    if resource.kind not in (Kind.JOB, Kind.CLUSTER):
        return ()
    return [
        (volume.at(*keys), found)
        for volume in volumes(resource)
        if volume.kind in (FILE_SHARES, BLOB_CONTAINERS)
        for keys, found in _unfilled(volume)
    ]


@memo
def _groups(
    _: ResourceView, context: RuleContext
) -> Mapping[ResourceView, Sequence[Sequence[_Place]]]:
    """Return resource -> groups of places whose first one is in it.

    All places of a placeholder in a file are filled in alike: they are a group, in their order.
    """
    places: dict[tuple[str, str], list[_Place]] = {}
    for resource in context.items:
        for path, each in _in_resource(resource):
            if not each.meant:
                span = _span(resource, path, each.part)
                place = _Place(resource, path, each.part, span)
                places.setdefault((span.file if span else "", each.part), []).append(place)
    found: dict[ResourceView, list[Sequence[_Place]]] = {}
    for group in places.values():
        group.sort(key=lambda each: (each.span.line, each.span.column) if each.span else ())
        found.setdefault(group[0].resource, []).append(group)
    return found


def _elsewhere(first: _Place, others: Sequence[_Place]) -> str:
    """Return the words for the other lines that a placeholder stands in, if there are any."""
    lines = sorted({each.span.line for each in others if each.span})
    if first.span and first.span.line in lines:
        lines.remove(first.span.line)
    if not lines:
        return ""
    *before, last = [str(line) for line in lines[:_MOST_LINES]]
    if more := len(lines) - len(before) - 1:
        before, last = [*before, last], f"{more} more"
    where = f"lines {', '.join(before)} and {last}" if before else f"line {last}"
    return f", here and in {where}"


def _span(resource: ResourceView, path: Path, part: str) -> Span | None:
    """Return the span of a placeholder in a value, if places are known."""
    span = resource.places.span(path) if resource.places else None
    if span is None:
        return None
    from bai.specs.source.places import narrow

    return narrow(span, resource.source, part)


def _unfilled(volume: Volume) -> Iterator[tuple[Sequence[str], Unfilled]]:
    """Iterate over (keys that lead to it, placeholder) of placeholders that nothing fills in."""
    entry = volume.entry
    url = entry.get("azureFileUrl")
    if isinstance(url, str) and may_be_unfilled(url, STORAGE_ACCOUNT_PLACEHOLDER):
        # BAI504 reports the account that a spec's address begins with.
        share = url.partition("://")[2].partition("/")[2]
        for each in unfilled(share) if volume.in_spec else unfilled_in_address(url):
            yield ("azureFileUrl",), each
    container = entry.get("containerName")
    if isinstance(container, str) and may_be_unfilled(container):
        for each in unfilled(container):
            yield ("containerName",), each
    if volume.in_spec:
        return  # BAI504 reports accounts, BAI601 keys
    name = entry.get("accountName")
    # BAI504 takes `[your account]` for an expression of a template.
    if isinstance(name, str) and is_expression(name):
        for each in unfilled(name):
            yield ("accountName",), each
    credentials = entry.get("credentials")
    key = credentials.get("accountKey") if isinstance(credentials, dict) else None
    if isinstance(key, str) and may_be_unfilled(key, STORAGE_KEY_PLACEHOLDER):
        for each in _in_key(key):
            yield ("credentials", "accountKey"), each


def _in_key(key: str) -> Iterator[Unfilled]:
    if key.startswith(("<secret env:", "<secret file:")):
        return
    if meant := placeholder_meant(key, STORAGE_KEY_PLACEHOLDER):
        yield Unfilled(key, meant)
    else:
        yield from (each for each in unfilled(key) if each.part == key)
