"""What a report shows of metrics."""

from types import SimpleNamespace

import pytest

from bai.html_report.metric_parts import charts_of, scaling, stragglers
from bai.metric_points import STEP_SECONDS, MetricPoint


def points(name, values, rank=0):
    found = enumerate(values, 1)
    return [MetricPoint("train", rank, name, step, 100.0 + step, value) for step, value in found]


def member(processes, metric):
    attempt = SimpleNamespace(process_count=processes)
    return SimpleNamespace(job=SimpleNamespace(attempt=attempt), metric=metric)


def test_a_rank_with_long_steps_is_pointed_out():
    found = [each for rank in range(3) for each in points(STEP_SECONDS, [1, 1, 4], rank)]
    (table,) = stragglers(found + points(STEP_SECONDS, [2, 1.5, 2], rank=3))
    assert table.rows == [
        ["0", "1", "4", "1.00", ""],
        ["1", "1", "4", "1.00", ""],
        ["2", "1", "4", "1.00", ""],
        ["3", "2", "2", "2.00", "slow"],
    ]


def test_one_rank_has_none_to_wait_for():
    assert list(stragglers(points(STEP_SECONDS, [1, 2]))) == []


def test_efficiency_is_against_the_fewest_processes():
    members = [
        member(2, 20),
        member(4, 30),
        member(8, None),
        member(4, 32),
        member(2, float("nan")),
    ]
    (table,) = scaling(members, "images_per_second")
    assert table.rows == [["2", "20", "10", "100 %"], ["4", "32", "8", "80 %"]]


@pytest.mark.parametrize("metric", ["loss", None])
def test_only_speeds_scale(metric):
    assert list(scaling([member(1, 3), member(2, 2)], metric)) == []


def test_curves_follow_the_colours_of_the_page():
    pytest.importorskip("matplotlib")
    (chart,) = charts_of(points("loss", [3, 2, 1]) + points("bai/cpu_cores", [1]), {})
    assert chart.title == "loss"
    assert chart.svg.startswith("<svg")
    assert "currentColor" in chart.svg
    assert "#ffffff" not in chart.svg
