"""Members of a sweep as the one job that they were made of.

What this makes is a guess, for the importer to compile and compare: a text that contains a value by
chance may look as if a parameter had been put there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bai.compiler.importer.origins import origin_of, placed
from bai.compiler.importer.templates import Spellings, spelt
from bai.compiler.resources.reserved import SWEEP_VARIABLES
from bai.specs.document import MISSING, copied, value_at
from bai.specs.findings import Path
from bai.specs.models.job import Job
from bai.specs.models.parameters import type_of
from bai.specs.models.shape import fields
from bai.specs.parameters.references import written
from bai.specs.toolkits import TOOLKITS

_KEPT: Final = frozenset(("script", "command", "config"))
"""Keys of toolkits that a job has also where its sweep gives all members another value."""
_PER_NODE: Final = {"processCount": "processesPerNode", "workerCount": "workersPerNode"}
"""Key of a number on all nodes together -> that of a number on each."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A job with a sweep."""

    job: dict[str, Any]
    parameters: dict[str, Any]
    """The parameters that it refers to, as a spec declares them."""


class _UnlikeError(Exception):
    """Members differ in something that their points do not say."""


def fold(jobs: Sequence[Mapping[str, Any]], points: Sequence[Mapping[str, Any]]) -> Folded | None:
    """Return a job whose sweep may have these members; None if there is none.

    Args:
        jobs: the members, in the words of a spec.
        points: what tells each from the others, as JSON data.
    """
    keys = list(points[0])
    if not keys or any(point.keys() != points[0].keys() for point in points):
        return None
    members = [_without_variables(job) for job in jobs]
    if any(key == "nodeCount" or key.endswith("PerNode") for key in keys):
        members = [_per_node(job) for job in members]
    paths = {key: tuple(key.split(".")) for key in keys if key.split(".")[0] in fields(Job)}
    varied = [
        {key: spelt(point[key], value_at(job, path)) for key, path in paths.items()}
        for job, point in zip(members, points, strict=True)
    ]
    _set_aside(members, paths.values())
    parameters = [key for key in keys if key not in paths]
    spellings = Spellings([{key: point[key] for key in parameters} for point in points])
    try:
        job = _merged(members, spellings, points)
    except _UnlikeError:
        return None
    for key in parameters:
        if key not in spellings.used and not _put_in(job, key, spellings):
            return None
    order = _left_out(job, paths)
    listed = [
        {key: mine[key] for key in order}
        | {key: spellings.scalar(number, key) for key in parameters}
        for number, mine in enumerate(varied)
    ]
    declared = {key: _declared([each[key] for each in listed]) for key in parameters}
    return Folded(job | {"sweep": {"list": listed}}, declared)


def _without_variables(job: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a job without the variables of its sweep."""
    found: dict[str, Any] = copied(job)
    kept = {k: v for k, v in found.get("environment", {}).items() if k not in SWEEP_VARIABLES}
    if kept:
        return found | {"environment": kept}
    return {key: value for key, value in found.items() if key != "environment"}


def _per_node(job: dict[str, Any]) -> dict[str, Any]:
    """Return a job with its numbers of processes on each node, where that is possible."""
    nodes = job.get("nodeCount", 1)
    for name in TOOLKITS.keys() & job.keys():
        job[name] = {
            _PER_NODE[key] if _is_per_node(key, value, nodes) else key: (
                value // nodes if _is_per_node(key, value, nodes) else value
            )
            for key, value in job[name].items()
        }
    return job


def _is_per_node(key: str, value: Any, nodes: int) -> bool:
    return key in _PER_NODE and isinstance(value, int) and value % nodes == 0


def _set_aside(members: Sequence[dict[str, Any]], paths: Iterable[Path]) -> None:
    """Give all members the first one's value at paths, or of a short form above."""
    for path in paths:
        places = (path[:length] for length in range(1, len(path) + 1))
        found = next(
            (at for at in places if at == path or not isinstance(value_at(members[0], at), dict)),
            path,
        )
        value = value_at(members[0], found, MISSING)
        for member in members[1:] if value is not MISSING else ():
            holder = value_at(member, found[:-1])
            if isinstance(holder, dict) and found[-1] in holder:
                holder[found[-1]] = value


def _merged(
    values: Sequence[Any], spellings: Spellings, points: Sequence[Mapping[str, Any]]
) -> Any:
    """Return the one value that all members' values are made of.

    Raises:
        _UnlikeError: there is none.
    """
    first = values[0]
    if all(value == first for value in values):
        return first
    if all(isinstance(value, dict) and list(value) == list(first) for value in values):
        return {key: _merged([v[key] for v in values], spellings, points) for key in first}
    if all(isinstance(value, str) for value in values):
        if (text := spellings.template(values)) is not None:
            return placed(text, origin_of(first))
        raise _UnlikeError
    for key in points[0]:
        if [point[key] for point in points] == list(values):
            spellings.used.add(key)
            return placed(written(key), origin_of(first))
    raise _UnlikeError


def _put_in(job: dict[str, Any], key: str, spellings: Spellings) -> bool:
    """Refer to a parameter where its value stands that all members have; return whether it does.

    Best where its name stands as well.
    """
    places = [(holder, name) for part in TOOLKITS if (holder := job.get(part)) for name in holder]
    places += [(job.get("environment", {}), name) for name in job.get("environment", {})]
    places.append((job, "preparation"))
    for named in (True, False):
        for holder, name in places:
            text = holder.get(name)
            if isinstance(text, str) and (found := spellings.constant(key, text, named=named)):
                holder[name] = placed(found, origin_of(text))
                return True
    return False


def _left_out(job: dict[str, Any], paths: Mapping[str, Sequence[str]]) -> list[str]:
    """Leave out of a job what its sweep gives to members, unless their order would change.

    Returns:
        The keys of the sweep, in the order in which members get their values.
    """
    order = sorted(paths, key=lambda key: _place(job, paths[key]))
    for key in reversed(order):
        *above, last = paths[key]
        holder = value_at(job, above)
        if not isinstance(holder, dict):
            # The short form of what members have in full.
            job.pop(above[0], None)
        elif last in holder:
            is_unordered = not above or above[0] in TOOLKITS
            if (is_unordered and last not in _KEPT) or next(reversed(holder)) == last:
                del holder[last]
        if holder == {} and len(above) == 1 and above[0] not in TOOLKITS:
            del job[above[0]]
    return order


def _place(job: dict[str, Any], path: Sequence[str]) -> tuple[Sequence[str], int]:
    """Return what mappings are sorted by, and the number of a value in its own."""
    holder = value_at(job, path[:-1])
    found = isinstance(holder, dict) and path[-1] in holder
    return path[:-1], list(holder).index(path[-1]) if found else 0


def widened(declared: Any, other: Any) -> Any:
    """Return the first of two declarations of a parameter, with a type for the values of both."""
    types = {
        each["type"] if isinstance(each, dict) else type_of(each) for each in (declared, other)
    }
    if len(types) == 1:
        return declared
    default = declared["default"] if isinstance(declared, dict) else declared
    return {"default": default, "type": _common(types)}


def _declared(scalars: Collection[str]) -> Any:
    """Return the declaration of a parameter with these values; the first is its default."""
    first, *_ = scalars
    types = {type_of(each) for each in scalars}
    return first if len(types) == 1 else {"default": first, "type": _common(types)}


def _common(types: Collection[str]) -> str:
    """Return the type that has the values of several: any scalar without quotes may be a text."""
    return "number" if set(types) == {"integer", "number"} else "string"
