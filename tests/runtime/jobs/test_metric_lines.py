"""Lines in which scripts report metrics: what is understood of them."""

import math

import pytest

from bai.runtime.jobs.metric_lines import Metrics, parse_metrics


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            '{"time": 1.5, "rank": 2, "step": 3, "total": 9, "values": {"loss": 0.5, "n": 1}}',
            Metrics(1.5, {"loss": 0.5, "n": 1.0}, 3, 9, 2),
        ),
        # By a script of its own: values beside the rest, and no more than it wants to say.
        ('{"step": 3, "loss": 0.5}', Metrics(None, {"loss": 0.5}, 3)),
        ('{"loss": 1, "phase": "warm-up", "more": [1]}', Metrics(None, {"loss": 1.0})),
        ('{"step": 3.0, "rank": null, "loss": 1}', Metrics(None, {"loss": 1.0}, 3)),
        ('{"step": 4, "total": 8}', Metrics(None, {}, 4, 8)),
        (' {"loss": -Infinity} ', Metrics(None, {"loss": -math.inf})),
    ],
)
def test_what_a_line_says(line, found):
    assert parse_metrics(line.encode()) == found


def test_what_is_not_a_number_may_be_a_value():
    assert math.isnan(parse_metrics(b'{"loss": NaN}').values["loss"])


@pytest.mark.parametrize(
    "line",
    [
        "",
        "\x00\xff",
        "[1]",
        "1",
        "{}",
        '{"time": 1}',
        '{"values": {"loss": "low"}}',
        '{"time": "noon", "loss": 1}',
        '{"step": 1.5, "loss": 1}',
        '{"step": -1, "loss": 1}',
        '{"step": NaN, "loss": 1}',
        '{"step": Infinity, "loss": 1}',
        '{"rank": "first", "loss": 1}',
        f'{{"loss": 1{"0" * 400}}}',
        f"{'[' * 100_000}",
    ],
)
def test_what_says_nothing_is_passed_over(line):
    assert parse_metrics(line.encode("latin-1")) is None
