"""BAI611: a volume has only placeholders that are filled in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER, Kind
from bai.linter.facts.placeholders import (
    Unfilled,
    may_be_unfilled,
    placeholder_meant,
    unfilled,
    unfilled_in_address,
)
from bai.linter.facts.volumes import BLOB_CONTAINERS, FILE_SHARES, Volume, volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation
from bai.specs.findings import Path
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


@rule("BAI611", Kind.JOB, Kind.CLUSTER)
def unfilled_placeholders(resource: ResourceView) -> Iterator[Violation]:
    places: dict[str, list[Path]] = {}
    for volume in volumes(resource):
        if volume.kind not in (FILE_SHARES, BLOB_CONTAINERS) or _is_filled(volume.entry):
            continue
        for keys, found in _unfilled(volume):
            path = volume.at(*keys)
            if found.meant:
                message = f"nothing fills in {found.part!r}"
                hint = f"did you mean {found.meant}?"
                yield Violation(Part(path, found.part, found.meant), message, hint)
            else:
                places.setdefault(found.part, []).append(path)
    # All places of a placeholder are filled in alike: they are one finding.
    for part, (path, *others) in places.items():
        words = _SPEC_WORDS if resource.is_compiled and path[-1] in _SPEC_WORDS else _WHAT
        message = f"nothing fills in {part!r}{_elsewhere(resource, part, path, others)}"
        yield Violation(Part(path, part), message, f"write {words[str(path[-1])]} in its place")


def _elsewhere(resource: ResourceView, part: str, path: Path, others: Sequence[Path]) -> str:
    """Return the words for the other lines that a placeholder stands in, if there are any."""
    first = _line(resource, path, part)
    found = {line for each in others if (line := _line(resource, each, part)) not in (None, first)}
    lines = sorted(filter(None, found))
    if not lines:
        return ""
    *before, last = [str(line) for line in lines[:_MOST_LINES]]
    if more := len(lines) - len(before) - 1:
        before, last = [*before, last], f"{more} more"
    where = f"lines {', '.join(before)} and {last}" if before else f"line {last}"
    return f", here and in {where}"


def _line(resource: ResourceView, path: Path, part: str) -> int | None:
    """Return the line that a placeholder of a value stands in, if places are known."""
    span = resource.places.span(path) if resource.places else None
    if span is None:
        return None
    from bai.specs.source.places import narrow

    return narrow(span, resource.source, part).line


def _is_filled(entry: dict[str, Any]) -> bool:
    """Return whether a volume surely has no placeholder, as nearly all."""
    credentials = entry.get("credentials")
    key = credentials.get("accountKey") if isinstance(credentials, dict) else None
    values = (entry.get("accountName"), entry.get("azureFileUrl"), entry.get("containerName"), key)
    text = "\n".join([value for value in values if isinstance(value, str)])
    return GAP not in text and not may_be_unfilled(text)


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
