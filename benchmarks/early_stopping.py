"""What it costs to record a report of a sweep's member, and to compare it with all others."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Result

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.sweep import (
    MedianRule,
    Objective,
    SuccessiveHalving,
    Sweep,
    SweepId,
)
from bai.runtime.jobs.journal import Record
from bai.runtime.jobs.reports import REPORT, Report
from bai.runtime.provider.attempt_rows import Demand
from bai.runtime.provider.report_rows import add_reports
from bai.runtime.provider.store import Store

SIZES = (10, 100, 1_000)
"""Members, all of which have reported the same steps."""
RULES = {
    "no rule": None,
    "median": MedianRule(),
    "successiveHalving": SuccessiveHalving(),
}
_WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
_CLUSTER = _WORKSPACE.sibling(Kind.CLUSTER, "c")
_EXPERIMENT = _WORKSPACE.sibling(Kind.EXPERIMENT, "e")
_STEPS = 9
"""With the last one, members come to a step at which successive halving compares."""
_WIRE = {"properties": {"scaleSettings": {"manual": {"targetNodeCount": 1}}}}


def results() -> Iterator[Result]:
    """Measure each rule at each size; to record without a rule is the peer of the others."""
    for size in SIZES:
        took = {name: _last_step(size, rule) for name, rule in RULES.items()}
        peer = took.pop("no rule")
        for name, each in took.items():
            yield Result(f"a report, {name}, {size:,} members", each, peer, "us")


def _last_step(size: int, rule: MedianRule | SuccessiveHalving | None) -> float:
    """Return the median CPU time of a report of the last step, in microseconds."""
    sweep = Sweep(SweepId(_EXPERIMENT, "sweep"), objective=Objective("loss"))
    with TemporaryDirectory() as folder:
        store = Store(Path(folder))
        store.put(_WORKSPACE, {})
        store.put(_EXPERIMENT, {})
        store.put(_CLUSTER, _WIRE)
        store.put_sweep(sweep)
        for number in range(size):
            job = _WORKSPACE.sibling(Kind.JOB, f"j{number}", "e")
            store.put(job, {"properties": {}}, Demand(_CLUSTER, 1, 1, sweep=sweep.id))
        attempts = store.attempts.alive()
        with store.transaction() as connection:
            for step in range(_STEPS):
                for attempt in attempts:
                    add_reports(connection, attempt, [_record(step)], datetime.now(UTC))
        store.put_sweep(replace(sweep, early_stopping=rule))
        with store.transaction() as connection:
            times = []
            for attempt in attempts:
                begun = time.process_time_ns()
                add_reports(connection, attempt, [_record(_STEPS)], datetime.now(UTC))
                times.append((time.process_time_ns() - begun) / 1_000)
        store.close()
    return statistics.median(times)


def _record(step: int) -> Record:
    report = Report(1e9, step, {"loss": 1.0}, 0)
    return Record(datetime.now(UTC), REPORT, "", report.to_json())
