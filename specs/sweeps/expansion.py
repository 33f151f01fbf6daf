"""A spec with a job for each member of its sweeps, which all stand where the one job does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import ValidationError

from bai.specs.document import Document, error_at
from bai.specs.findings import Finding, Path, Span
from bai.specs.models.experiment import Experiment
from bai.specs.models.sweep import Sweep
from bai.specs.parameters.references import references, texts_below
from bai.specs.parameters.substitution import substitute
from bai.specs.parameters.values import Parameters
from bai.specs.parameters.values import Value as ParameterValue
from bai.specs.sweeps.checks import Wrong, wrong_counts, wrong_points
from bai.specs.sweeps.points import Point, Value, member_name, points
from bai.specs.sweeps.swept import JOBS, KEY, has_sweeps, is_swept

_DEPTH: Final = len(JOBS) + 1
"""Steps of the path of a job."""


@dataclass(frozen=True, slots=True)
class Members:
    """A sweep with the jobs that it became."""

    sweep: Sweep
    points: Mapping[str, Point]
    """Name of a job -> its point."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """A spec without sweeps."""

    document: Document
    sweeps: Mapping[str, Members] = field(default_factory=dict)
    """Name of the one job that a sweep was written for -> its members."""
    values: Mapping[str, Mapping[str, ParameterValue]] = field(default_factory=dict)
    """Name of a member -> the values of parameters that are its own."""
    used: frozenset[str] = frozenset()
    """The parameters that sweeps refer to, or vary."""
    unclear: frozenset[str] = frozenset()
    """The parameters that a sweep with errors may have values for."""
    findings: tuple[Finding, ...] = ()


def expand(document: Document, parameters: Parameters) -> Expanded:
    """Return a spec in which each job with a sweep is replaced by its members.

    A sweep of a wrong form stays, for the models to say what is wrong with it.

    Args:
        document: the spec, with references to parameters.
        parameters: its parameters.
    """
    if not has_sweeps(document.data):
        return Expanded(document)
    expansion = _Expansion(document, parameters)
    for name, job in document.value(JOBS).items():
        expansion.add(name, job)
    return expansion.result()


class _Expansion:
    """The jobs of a spec, as they become members of sweeps."""

    def __init__(self, document: Document, parameters: Parameters) -> None:
        self._document = document
        self._parameters, self._values = parameters.declared, parameters.values
        self._jobs: dict[str, Any] = {}
        self._sweeps: dict[str, Members] = {}
        self._own: dict[str, Mapping[str, ParameterValue]] = {}
        self._places: dict[str, _Place] = {}
        self._used: set[str] = set()
        self._unclear: set[str] = set()
        self._findings: list[Finding] = []

    def add(self, name: str, job: Any) -> None:
        """Add a job, or its members."""
        self._jobs[name] = job
        if not is_swept(job):
            return
        read = substitute(job[KEY], (*JOBS, name, KEY), self._values, Experiment)
        sweep = None if read.wrong else _valid(read.data)
        if sweep is None:
            self._unclear |= self._named_in(job[KEY])
            return
        body = {key: value for key, value in job.items() if key != KEY}
        wrong, found = wrong_counts(name, sweep), list[Point]()
        if not wrong:
            found += points(sweep, read.data)
            wrong += wrong_points(name, sweep, found, self._parameters)
        wrong += self._unused(body, sweep.space, read.data)
        self._findings += (self._finding(name, each) for each in wrong)
        if wrong:
            self._unclear |= self._named_in(job[KEY])
            self._jobs[name] = body
            return
        self._used |= read.used
        named = {member_name(name, point.text): point for point in found}
        self._sweeps[name] = Members(sweep, named)
        del self._jobs[name]
        for member, point in named.items():
            self._add_member(name, member, body, point)

    def _named_in(self, data: Any) -> set[str]:
        """Return the parameters that are keys in a part of a spec."""
        if isinstance(data, dict):
            below = [self._named_in(each) for each in data.values()]
            return set().union(self._parameters.keys() & data.keys(), *below)
        return set().union(*map(self._named_in, data)) if isinstance(data, list) else set()

    def _unused(self, body: Mapping[str, Any], space: str, data: Mapping[str, Any]) -> list[Wrong]:
        """Return what is wrong with parameters that are varied, and nothing refers to."""
        named = {
            reference.name for _, text in texts_below(body, ()) for reference in references(text)
        }
        varied = [data[space]] if isinstance(data[space], dict) else data[space]
        keys = dict.fromkeys(key for each in varied for key in each if key in self._parameters)
        self._used |= keys.keys()
        return [
            Wrong(
                "BAI810",
                f"nothing in the job refers to the parameter {key}: its members are equal",
                (space, key) if isinstance(data[space], dict) else (space,),
                f"write ${{parameters.{key}}} where its value belongs",
                of_key=True,
            )
            for key in keys
            if key not in named
        ]

    def _finding(self, name: str, wrong: Wrong) -> Finding:
        path = (*JOBS, name, KEY, *wrong.path)
        return error_at(
            wrong.code, wrong.message, self._document, path, wrong.hint, key=wrong.of_key
        )

    def _add_member(self, name: str, member: str, body: Mapping[str, Any], point: Point) -> None:
        data = body
        sources: dict[Path, Value] = {}
        own: dict[str, ParameterValue] = {}
        for key, value in point.values.items():
            if (parameter := self._parameters.get(key)) is not None:
                own[key] = ParameterValue(parameter.as_typed(value.scalar), origin="in the sweep")
            elif key not in self._parameters:
                path = tuple(key.split("."))
                data = _with(data, path, value.scalar)
                sources[path] = value
        self._jobs[member] = data
        self._own[member] = own
        self._places[member] = _Place(name, sources)

    def result(self) -> Expanded:
        """Return the spec with the members."""
        document = self._document
        values = MemberSpans(document.values, self._places, self._sweeps)
        keys = MemberSpans(document.keys, self._places, self._sweeps, of_keys=True)
        aliases = MemberSpans(document.aliases, self._places, self._sweeps)
        data = {**document.data, "spec": {**document.data["spec"], "jobs": self._jobs}}
        changed = replace(document, data=data, values=values, keys=keys, aliases=aliases)
        return Expanded(
            changed,
            self._sweeps,
            self._own,
            frozenset(self._used),
            frozenset(self._unclear),
            tuple(self._findings),
        )


def _valid(data: Any) -> Sweep | None:
    try:
        return Sweep.model_validate(data, by_alias=True, by_name=False)
    except ValidationError:
        return None


def _with(data: Any, path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return a copy of a mapping with another value at a path."""
    first, *rest = path
    held = data if isinstance(data, dict) else {}
    return {**held, first: _with(held.get(first), rest, value) if rest else value}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a member stands in the spec as it is written."""

    job: str
    sources: Mapping[Path, Value]
    """Path below the job -> the value of its sweep that stands there."""


class MemberSpans(Mapping[Path, Span]):
    """The spans of a spec, in which those of a member are those of its one job."""

    def __init__(
        self,
        spans: Mapping[Path, Span],
        places: Mapping[str, _Place],
        swept: Mapping[str, object],
        *,
        of_keys: bool = False,
    ) -> None:
        """Give members the spans of a spec as it is written.

        Args:
            spans: the spans of the spec.
            places: name of a member -> where it stands.
            swept: the names of the jobs that have become members.
            of_keys: whether these are the spans of keys, and not of values.
        """
        self._spans, self._places, self._swept = spans, places, swept
        self._of_keys = of_keys

    def __getitem__(self, path: Path) -> Span:
        if len(path) < _DEPTH or path[: len(JOBS)] != JOBS:
            return self._spans[path]
        place = self._places.get(str(path[_DEPTH - 1]))
        if place is None:
            return self._spans[path]
        below = path[_DEPTH:]
        if value := place.sources.get(below):
            below = (KEY, *(value.key if self._of_keys else value.source))
        return self._spans[(*JOBS, place.job, *below)]

    def __iter__(self) -> Iterator[Path]:
        for path in self._spans:
            job = path[_DEPTH - 1] if len(path) >= _DEPTH and path[: len(JOBS)] == JOBS else None
            if job not in self._swept:
                yield path
                continue
            for name, place in self._places.items():
                if place.job == job:
                    yield (*JOBS, name, *path[_DEPTH:])

    def __len__(self) -> int:
        return sum(1 for _ in self)
