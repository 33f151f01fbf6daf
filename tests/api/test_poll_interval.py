"""Waiting for jobs whose supervisors show no sign of life."""

import pytest

from bai import poll_interval
from bai.poll_interval import PollInterval
from bai.runtime.errors import NotFoundError


class QuietProvider:
    """A provider whose waits take no time but that of a clock."""

    def __init__(self):
        self.time = 0.0
        self.silent = set()
        self.gone = set()
        self.looks = 0

    def wait(self, uuids, seconds):
        self.time += seconds

    def is_silent(self, uuid):
        self.looks += 1
        if uuid in self.gone:
            raise NotFoundError(uuid)
        return uuid in self.silent


@pytest.fixture
def provider(monkeypatch):
    found = QuietProvider()
    monkeypatch.setattr(poll_interval.time, "monotonic", lambda: found.time)
    return found


def reported(provider, seconds, interval, uuids=("a", "b")):
    until = provider.time + seconds
    while provider.time < until:
        interval.wait(uuids)


def test_silence_is_reported_once_and_after_a_while(provider):
    said = []
    interval = PollInterval(provider, lambda uuid, sentence: said.append((uuid, sentence)))
    provider.silent = {"a"}
    reported(provider, 29, interval)
    assert said == []
    reported(provider, 120, interval)
    assert [uuid for uuid, _ in said] == ["a"]
    assert said[0][1].startswith("no sign of its supervisor for 30 s: it was stopped, and")


def test_silence_that_ends_is_counted_anew(provider):
    said = []
    interval = PollInterval(provider, lambda uuid, _: said.append(uuid))
    for silent in ({"a"}, set(), {"a"}, {"b"}, {"a"}):
        provider.silent = silent
        reported(provider, 25, interval)
    assert said == []
    reported(provider, 10, interval)
    assert said == ["a"]
    provider.silent = set()
    reported(provider, 10, interval)
    provider.silent = {"a"}
    reported(provider, 40, interval)
    assert said == ["a", "a"]


def test_signs_of_life_are_looked_for_now_and_then(provider):
    interval = PollInterval(provider, lambda *_: None)
    reported(provider, 100, interval)
    assert 80 <= provider.looks <= 100
    provider.looks = 0
    reported(provider, 100, PollInterval(provider))
    assert provider.looks == 0


def test_a_deleted_attempt_is_not_silent(provider):
    said = []
    provider.gone = {"a"}
    reported(provider, 100, PollInterval(provider, lambda uuid, _: said.append(uuid)))
    assert said == []
