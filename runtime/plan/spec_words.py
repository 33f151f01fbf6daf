"""The differences of two wire forms in the words of specs, which users write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bai.compiler.importer.spec_form import spec_form
from bai.compiler.resources.ids import ResourceId
from bai.runtime.plan.differences import Difference, compare, without_defaults
from bai.specs.findings import Path
from bai.specs.models.mount_urls import parse_mount_url

_SHORT: Final[Mapping[str | int, str]] = {
    "scale": "target",
    "container": "image",
    "outputs": "path",
}
"""Key, or that of the mapping above -> what a scalar in the place of a mapping stands for."""


def spec_differences(
    id: ResourceId, before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[Difference, ...]:
    """Return how the parts of specs differ that declare a resource.

    Args:
        id: the resource.
        before: its live wire form.
        after: the one that is wanted.
    """
    live, wanted = (spec_form(id, without_defaults(wire)) for wire in (before, after))
    found = compare(live, wanted)
    return tuple(inner for each in found for inner in _in_full(each))


def _in_full(difference: Difference) -> Iterator[Difference]:
    """Iterate over the differences below one of a short form and a full one."""
    path, sides = difference.path, (difference.before, difference.after)
    if sum(isinstance(side, dict) for side in sides) == 1 and None not in sides:
        before, after = (_full(path, side) for side in sides)
        if before.keys() & after.keys():
            yield from compare(before, after, path)
            return
    yield difference


def _full(path: Path, value: Any) -> dict[str, Any]:
    """Return the mapping that a scalar at a path stands for; of what is one already, itself."""
    if isinstance(value, dict):
        return value
    if path[-2:-1] == ("mounts",):
        mount: dict[str, Any] = parse_mount_url(value)
        return mount
    key = next((_SHORT[step] for step in path[-2:] if step in _SHORT), None)
    return {key: value} if key else {}
