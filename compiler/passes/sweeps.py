"""Sweeps: what their members are called by, and the settings that no member has."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.passes.scope import Scope
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.reserved import MEMBER_VARIABLE, SWEEP_VARIABLE, SWEEP_VARIABLES
from bai.compiler.resources.sweep import (
    Goal,
    MedianRule,
    Objective,
    SuccessiveHalving,
    Sweep,
    SweepId,
)
from bai.specs.findings import Path, Span
from bai.specs.models import sweep as written
from bai.specs.models.job import Job
from bai.specs.sweeps.swept import JOBS, KEY

_VARIABLES: Path = ("properties", "environmentVariables")


def set_member(builder: WireBuilder, name: str, job: Job) -> None:
    """Put the variables that say which sweep a job is a member of, if it is of one.

    Batch AI's jobs have no tags.
    """
    source = (*JOBS, name)
    for sweep, members in builder.scope.loaded.sweeps.items():
        point = members.points.get(name)
        if point is None or not SWEEP_VARIABLES.isdisjoint(job.environment):
            continue
        for variable, value in ((SWEEP_VARIABLE, sweep), (MEMBER_VARIABLE, point.text)):
            place = builder.item(_VARIABLES, source)
            builder.set((*place, "name"), variable, None)
            builder.set((*place, "value"), value, None)


def lower_sweeps(scope: Scope) -> Iterator[Sweep]:
    """Iterate over the settings of the sweeps of a spec."""
    experiment = scope.names.id(Kind.EXPERIMENT, scope.names.experiment)
    for name, members in scope.loaded.sweeps.items():
        sweep = members.sweep
        objective = sweep.objective
        rule = _rule(sweep.early_stopping) if sweep.early_stopping else None
        if rule:
            _check_count(scope, name, rule)
        yield Sweep(
            SweepId(experiment, name),
            sweep.concurrency,
            sweep.stop_after_failures,
            Objective(objective.metric, Goal(objective.goal)) if objective else None,
            rule,
            _span(scope, name),
        )


def _span(scope: Scope, job: str) -> Span:
    """Return where the sweep of a job is written, which its members stand for now."""
    return scope.document.key_span(_path(scope, job))


def _path(scope: Scope, job: str) -> Path:
    member = next(iter(scope.loaded.sweeps[job].points))
    return (*JOBS, member, KEY)


def _check_count(scope: Scope, job: str, rule: MedianRule | SuccessiveHalving) -> None:
    """Report a rule that never ends a member, since there are too few."""
    count = len(scope.loaded.sweeps[job].points)
    if count < rule.fewest:
        message = f"earlyStopping compares {rule.fewest} members or more, and the sweep has {count}"
        span = scope.document.key_span((*_path(scope, job), "earlyStopping"))
        scope.report("BAI814", message, span, "leave it out, or add members")


def _rule(rule: written.EarlyStopping) -> MedianRule | SuccessiveHalving:
    if rule.rule == "median":
        return MedianRule(rule.after or 0)
    default = SuccessiveHalving()
    return SuccessiveHalving(rule.factor or default.factor, rule.first or default.first)
