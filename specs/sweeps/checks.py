"""What is wrong with a sweep whose form is right: members that can't be, or that are equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from bai.specs.findings import Path
from bai.specs.models.job import Job
from bai.specs.models.parameters import Parameter
from bai.specs.models.shape import fields
from bai.specs.models.sweep import Sweep
from bai.specs.names import suggestion
from bai.specs.sweeps.points import DIGEST_LENGTH, Point, Value, count_points, lengths
from bai.specs.sweeps.swept import KEY

MOST_MEMBERS: Final = 10_000
LONGEST_NAME: Final = 64
"""Characters of the name of a job."""


class Wrong(NamedTuple):
    """Something wrong with a sweep."""

    code: str
    message: str
    path: Path
    """Of the value or key, below the sweep."""
    hint: str | None = None
    of_key: bool = False
    """Whether the key at the end of the path is wrong, and not the value behind it."""


def wrong_counts(name: str, sweep: Sweep) -> list[Wrong]:
    """Return what keeps the members of a sweep, of a job with this name, from being made."""
    wrong = list(_wrong_counts(name, sweep))
    if not wrong and (count := count_points(sweep)) > MOST_MEMBERS:
        message = f"the sweep has {count:,} members, more than {MOST_MEMBERS:,}"
        return [Wrong("BAI811", message, (sweep.space,), "try fewer values, or random")]
    return wrong


def wrong_points(
    name: str, sweep: Sweep, found: Sequence[Point], parameters: Mapping[str, Parameter | None]
) -> Iterator[Wrong]:
    """Iterate over what is wrong with the members of a sweep.

    Args:
        name: of its job.
        sweep: the sweep.
        found: its points.
        parameters: those of the spec; None for one with errors.
    """
    yield from _wrong_points(name, found, parameters)
    if sweep.samples and len(found) < sweep.samples:
        message = f"random: there are no {sweep.samples} different members, only {len(found)}"
        hint = f"write samples: {len(found)}, or grid for all combinations"
        yield Wrong("BAI810", message, ("samples",), hint)


def _wrong_counts(name: str, sweep: Sweep) -> Iterator[Wrong]:
    """Iterate over what keeps the members from being counted, or named."""
    longest = LONGEST_NAME - DIGEST_LENGTH - len("-")
    if len(name) > longest:
        message = f"the job's name is too long for a sweep: {len(name)} characters"
        hint = f"members are called NAME-{'x' * DIGEST_LENGTH}: at most {longest} are left"
        yield Wrong("BAI302", message, (), hint)
    if sweep.space in ("random", "list"):
        if not (sweep.random or sweep.list_):
            yield Wrong("BAI811", "the sweep varies nothing", (sweep.space,), _EXAMPLE)
        for index, member in enumerate(sweep.list_ or ()):
            if not member:
                hint = "say what it has, or leave it out"
                yield Wrong("BAI811", "a member of the list has nothing", ("list", index), hint)
        return
    counts = lengths(sweep)
    if not counts:
        yield Wrong("BAI811", "the sweep varies nothing", (sweep.space,), _EXAMPLE)
    for key, count in counts.items():
        if count == 0:
            hint = "add count: 5, or step"
            message = f"{key}: nothing says how many numbers of the range there are"
            yield Wrong("BAI305", message, (sweep.space, key), hint)
    if sweep.space == "zip" and len(set(counts.values())) > 1:
        listed = ", ".join(f"{key} {count}" for key, count in counts.items())
        hint = "give all as many, or write grid for all combinations"
        yield Wrong("BAI811", f"values of a zip go together, found {listed}", ("zip",), hint)


_EXAMPLE: Final = "write environment.SEED: [1, 2, 3], for example"


def _wrong_points(
    name: str, found: Sequence[Point], parameters: Mapping[str, Parameter | None]
) -> Iterator[Wrong]:
    keys = {key: value for point in found for key, value in point.values.items()}
    unknown = False
    for key, value in keys.items():
        for wrong in _wrong_key(key, value, parameters):
            unknown = True
            yield wrong
    if not unknown:
        yield from _wrong_values(found, parameters)
        yield from _equal(name, found)


def _wrong_key(
    key: str, value: Value, parameters: Mapping[str, Parameter | None]
) -> Iterator[Wrong]:
    first, *below = key.split(".")
    of_job = [each for each in fields(Job) if each != KEY]
    if key in parameters or (first in of_job and all(below)):
        return
    if first == KEY:
        hint = "write a sweep of another job instead"
        yield Wrong("BAI422", "a sweep can't vary itself", value.key, hint, of_key=True)
        return
    hint = suggestion(key, [*parameters, *of_job])
    message = f"{key} is neither a parameter nor a key of the job"
    yield Wrong("BAI422", message, value.key, hint, of_key=True)


def _wrong_values(
    found: Sequence[Point], parameters: Mapping[str, Parameter | None]
) -> Iterator[Wrong]:
    """Iterate over values that their parameters can't have."""
    seen = set()
    for point in found:
        for key, value in point.values.items():
            parameter = parameters.get(key)
            if parameter is None or (key, value.scalar, value.source) in seen:
                continue
            seen.add((key, value.scalar, value.source))
            if wrong := parameter.wrong(value.scalar):
                yield Wrong("BAI813", f"{key}: {wrong.message}", value.source, wrong.hint)


def _equal(name: str, found: Sequence[Point]) -> Iterator[Wrong]:
    """Yield the first member that is there already."""
    first: dict[str, Point] = {}
    for number, point in enumerate(found, 1):
        same = first.setdefault(point.text, point)
        if same is not point:
            mine, others = point.values.values(), same.values.values()
            # Of a range, the numbers have one place.
            twice = [a for a, b in zip(mine, others, strict=True) if a.source != b.source]
            ranges = [value for value in mine if value.key == value.source]
            value = next(iter(twice or ranges or mine))
            message = f"two members of {name} are equal: number {number} has {point.text}"
            yield Wrong("BAI810", message, value.source, "leave out values that stand twice")
            return
