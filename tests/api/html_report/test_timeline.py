"""The timeline of a report: spans of time from the events of attempts."""

from datetime import UTC, datetime, timedelta
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.html_report.timeline import spans_of
from bai.runtime.jobs.records import Event, Phase

BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def at(seconds):
    return BEGIN + timedelta(seconds=seconds)


def event(seconds, kind, message):
    return Event(None, "uuid", at(seconds), kind, message)


def spans(events, now=100):
    return [(s.name, s.begin - BEGIN, s.end - BEGIN) for s in spans_of(events, at(now))]


def span(name, begin, end):
    return name, timedelta(seconds=begin), timedelta(seconds=end)


def test_phases_follow_each_other():
    events = [
        event(0, "state", "queued"),
        event(5, "state", "running"),
        event(6, "phase", "mounting"),
        event(7, "phase", "preparing"),
        event(9, "phase", "running"),
        event(12, "rank", "rank 1 failed first with exit code 1"),
        event(13, "state", "failed"),
    ]
    assert spans(events) == [
        span("queued", 0, 5),
        span("starting", 5, 6),
        span("mounting", 6, 7),
        span("preparing", 7, 9),
        span("running", 9, 13),
    ]


@pytest.mark.parametrize("name", [*Phase, "queued", "starting", "terminating"])
def test_each_span_has_a_pattern(name):
    style = files("bai.html_report").joinpath("page.css").read_text()
    assert f".bar.{name.replace(' ', '-')} {{" in style


def test_a_job_that_goes_on_is_shown_until_now():
    assert spans([event(0, "state", "queued")], now=30) == [span("queued", 0, 30)]


def test_a_requeued_attempt_waits_again():
    events = [
        event(0, "state", "running"),
        event(1, "phase", "running"),
        event(4, "state", "queued"),
        event(6, "state", "running"),
        event(6, "phase", "running"),
        event(9, "state", "succeeded"),
    ]
    found = [span("starting", 0, 1), span("running", 1, 4), span("queued", 4, 6)]
    assert spans(events) == [*found, span("running", 6, 9)]


@given(
    st.lists(
        st.tuples(
            st.floats(0, 99),
            st.sampled_from(
                [
                    ("state", "queued"),
                    ("state", "running"),
                    ("state", "failed"),
                    ("phase", "preparing"),
                    ("note", "x"),
                ]
            ),
        )
    )
)
def test_spans_never_overlap_and_end_by_now(events):
    found = spans_of([event(seconds, *what) for seconds, what in events], at(100))
    assert all(span.begin < span.end <= at(100) for span in found)
    assert all(a.end <= b.begin for a, b in pairwise(found))
