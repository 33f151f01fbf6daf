"""What bai's own variables in files say: the sweep that a job is a member of, and its code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bai.compiler.importer.check import Imported
from bai.compiler.importer.folding import fold, widened
from bai.compiler.importer.notes import Notes
from bai.compiler.importer.origins import origin_of
from bai.compiler.resources.ids import NAME
from bai.compiler.resources.reserved import (
    CODE_SHARE,
    CODE_VARIABLE,
    MEMBER_VARIABLE,
    SWEEP_VARIABLE,
)
from bai.compiler.resources.sweep import point_of
from bai.specs.findings import Finding, Span
from bai.specs.sweeps.points import member_name

_SETTINGS: Final = """\
# The files do not have the settings of sweeps ({}): write concurrency, stopAfterFailures,
# objective and earlyStopping beside the list.
"""


@dataclass(frozen=True, slots=True)
class Jobs:
    """The jobs of an imported spec."""

    section: dict[str, Any] = field(default_factory=dict)
    """Name -> the job, in the words of a spec."""
    parameters: dict[str, Any] = field(default_factory=dict)
    """Name -> declaration."""
    compiled: dict[str, Imported] = field(default_factory=dict)
    """Name of each job that these compile to -> the file that it must be equal to."""
    remark: str = ""
    """What people have to know of them, as comments."""


@dataclass(frozen=True, slots=True)
class Member:
    """Which member of a sweep a file's job is."""

    sweep: str
    name: str
    """The name of the job."""


def member(job: Imported) -> Member | None:
    """Return which member of a sweep a file's job is; None if it is none."""
    sweep, text = (_variable(job, name) for name in (SWEEP_VARIABLE, MEMBER_VARIABLE))
    if not sweep or not text or not point_of(job.wire):
        return None
    name = member_name(sweep["value"], text["value"])
    return Member(str(sweep["value"]), name) if NAME.fullmatch(name) else None


def fold_sweeps(
    jobs: Mapping[str, Imported], is_exact: Callable[[Jobs], bool], found: list[Finding]
) -> Jobs:
    """Return the jobs of a spec, in which one stands for the members of a sweep if that is exact.

    Args:
        jobs: the files by the names of their jobs.
        is_exact: returns whether jobs compile to their files.
        found: gets a note for each sweep whose members stay jobs of their own.
    """
    sweeps: dict[str, list[Imported]] = {}
    for job in jobs.values():
        if its := member(job):
            sweeps.setdefault(its.sweep, []).append(job)
    result, settled, folded = Jobs(), set[str](), list[str]()
    for name, job in jobs.items():
        its = member(job)
        if its and its.sweep not in settled:
            settled.add(its.sweep)
            guess = None if its.sweep in jobs else _guess(its.sweep, sweeps[its.sweep], result)
            if guess and is_exact(guess):
                folded.append(its.sweep)
                result.section.update(guess.section)
                result.parameters.update(guess.parameters)
                result.compiled.update(guess.compiled)
            else:
                _note_apart(its.sweep, job, found)
        if its is None or its.sweep not in folded:
            result.section[name] = job.spec
            result.compiled[name] = job
    remark = _SETTINGS.format(", ".join(folded)) if folded else ""
    return Jobs(result.section, result.parameters, result.compiled, remark)


def _guess(sweep: str, files: Sequence[Imported], before: Jobs) -> Jobs | None:
    """Return a job that may stand for the members of a sweep; None if there is none.

    Args:
        sweep: its name.
        files: those of the members.
        before: jobs that the spec has already, whose parameters keep their defaults.
    """
    members = {its.name: each for each in files if (its := member(each))}
    found = fold([each.spec for each in files], [point_of(each.wire) for each in files])
    if found is None or len(members) < len(files):
        return None
    parameters = {
        key: widened(before.parameters.get(key, each), each)
        for key, each in found.parameters.items()
    }
    return Jobs({sweep: found.job}, parameters, members)


def _note_apart(sweep: str, job: Imported, found: list[Finding]) -> None:
    message = f"the members of the sweep {sweep} stay jobs: no sweep of one job compiles to them"
    hint = "they keep BAI_SWEEP and BAI_SWEEP_MEMBER, and so their sweep; or write one with a list"
    _note(job, SWEEP_VARIABLE, message, hint, found)


def note_code(jobs: Iterable[Imported], found: list[Finding]) -> None:
    """Note, once for each snapshot of code that jobs run in, that its folder is not known."""
    noted = set[str]()
    for job in jobs:
        variable = _variable(job, CODE_VARIABLE)
        name = str(variable["value"]).rpartition("/")[2] if variable else None
        if name is None or name in noted:
            continue
        noted.add(name)
        message = f"the job runs in the snapshot {name} of a folder that the file does not name"
        hint = (
            f"to take the files from a folder, write `code: DIR` in place of {CODE_VARIABLE}, of "
            f"the mount {CODE_SHARE} and of paths there"
        )
        _note(job, CODE_VARIABLE, message, hint, found)


def own_places(jobs: Iterable[Imported]) -> set[Span]:
    """Return where the variables of sweeps stand: what is wrong with them, a note says."""
    names = (_variable(job, each) for job in jobs for each in (SWEEP_VARIABLE, MEMBER_VARIABLE))
    origins = (origin_of(each["name"]) for each in names if each)
    return {each.document.span(each.path) for each in origins if each}


def _note(job: Imported, name: str, message: str, hint: str, found: list[Finding]) -> None:
    origin = origin_of((_variable(job, name) or {}).get("name"))
    if origin:
        Notes(job.document, found).at_value(origin.path, "BAI207", message, hint)


def _variable(job: Imported, name: str) -> Mapping[str, Any] | None:
    """Return the entry of a variable in the wire form of a job; None if it has none."""
    variables = job.wire["properties"].get("environmentVariables", ())
    return next((each for each in variables if each["name"] == name), None)
