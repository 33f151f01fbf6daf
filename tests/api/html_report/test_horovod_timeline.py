"""Horovod's timeline in a report."""

import json

import pytest

from bai.html_report.horovod_timeline import activities


def begin(name, time, tensor=1):
    return {"ph": "B", "name": name, "ts": time, "pid": tensor}


def end(time, tensor=1):
    return {"ph": "E", "ts": time, "pid": tensor}


EVENTS = [
    {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "gradient.0"}},
    begin("NEGOTIATE_ALLREDUCE", 0),
    begin("NEGOTIATE_ALLREDUCE", 500_000, tensor=2),
    {"ph": "X", "name": "0", "ts": 1, "pid": 1, "dur": 0},
    end(1_000_000),
    begin("ALLREDUCE", 1_000_000),
    begin("GLOO_ALLREDUCE", 1_000_000),
    end(1_250_000),
    end(1_500_000),
    end(2_500_000, tensor=2),
]


def shown(data):
    return [(each.name, each.count, each.seconds, each.longest) for each in activities(data)]


def test_activities_of_all_tensors_are_added_up():
    assert shown(json.dumps(EVENTS).encode()) == [
        ("NEGOTIATE_ALLREDUCE", 2, 3.0, 2.0),
        ("ALLREDUCE", 1, 0.5, 0.5),
        ("GLOO_ALLREDUCE", 1, 0.25, 0.25),
    ]


def test_of_a_file_that_breaks_off_the_whole_events_count():
    text = json.dumps(EVENTS)
    cut = text[: text.rindex("2500000") + 3].encode()
    assert shown(cut)[0] == ("NEGOTIATE_ALLREDUCE", 1, 1.0, 1.0)


@pytest.mark.parametrize(
    "data", [b"", b"[", b"{}", b"\xff", b'[1, {"ph": "E", "pid": 1, "ts": 2}]']
)
def test_what_is_no_timeline_has_no_activities(data):
    assert shown(data) == []
