"""Long lists: pages of them, and ids alone."""

from itertools import count
from types import SimpleNamespace

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.engines.base import Features
from bai.runtime.jobs.records import StopReason
from bai.runtime.provider.attempt_rows import Demand, select_attempt, start
from bai.runtime.provider.embedded import EmbeddedProvider
from bai.runtime.provider.row_mapping import now, place_of
from bai.runtime.provider.store import Store

WORKSPACES = [ResourceId("s", "g", name, Kind.WORKSPACE, name) for name in ("w", "v")]
NAMES = ["b", "a", "d", "c", "e"]
EXPERIMENTS = [WORKSPACES[0].sibling(Kind.EXPERIMENT, name) for name in NAMES]
OTHER = WORKSPACES[1].sibling(Kind.EXPERIMENT, "A")


@pytest.fixture
def store(tmp_path):
    found = Store(tmp_path / "state")
    for workspace in WORKSPACES:
        found.put(workspace, {"location": "x"})
    for id in [*EXPERIMENTS, OTHER]:
        found.put(id, {})
    yield found
    found.close()


@pytest.fixture
def provider(store):
    # No engine: these have no attempts.
    return EmbeddedProvider(store, SimpleNamespace(features=Features()))


def pages(provider, limit, meanwhile=lambda: None, **filters):
    found, after = [], None
    while True:
        page = provider.page(Kind.EXPERIMENT, after=after, limit=limit, **filters)
        found.append([live.id for live in page.resources])
        if (after := page.next) is None:
            return found
        meanwhile()


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 6, 7])
def test_pages_make_the_list(provider, limit):
    found = pages(provider, limit)
    assert [id for page in found for id in page] == [*EXPERIMENTS, OTHER]
    assert all(len(page) == limit for page in found[:-1])


def test_pages_are_of_one_parent(provider):
    assert pages(provider, 3, parent=WORKSPACES[0]) == [EXPERIMENTS[:3], EXPERIMENTS[3:]]
    assert pages(provider, 3, parent=WORKSPACES[1]) == [[OTHER]]


def test_nothing_comes_twice_and_nothing_is_left_out_while_the_list_changes(provider, store):
    new = iter("xyz")

    def change():
        store.delete(EXPERIMENTS[0])
        if name := next(new, None):
            store.put(WORKSPACES[0].sibling(Kind.EXPERIMENT, name), {})

    found = [id.name for page in pages(provider, 2, change) for id in page]
    assert found == [*NAMES, "A", "x", "y", "z"]


def test_resources_of_one_time_come_by_id(provider, store):
    with store.transaction() as connection:
        connection.execute("UPDATE resources SET created = '2026-01-01T00:00:00.000000+00:00'")
    names = [id.name for page in pages(provider, 2) for id in page]
    assert names == ["A", "a", "b", "c", "d", "e"]


def test_what_is_no_page_is_refused(provider):
    with pytest.raises(ValueError, match="not the place of a page: x"):
        provider.page(Kind.EXPERIMENT, after="x")


def test_ids_come_alone_in_the_same_order(provider):
    for filters in ({}, {"parent": WORKSPACES[0]}, {"name": "a"}, {"name": "none"}):
        expected = [live.id for live in provider.of_kind(Kind.EXPERIMENT, **filters)]
        assert provider.ids(Kind.EXPERIMENT, **filters) == expected
    assert provider.ids(Kind.EXPERIMENT, name="a") == [EXPERIMENTS[1], OTHER]


@pytest.mark.parametrize("limit", [1, 3, 6, 9])
def test_recent_are_the_newest_in_order(provider, limit):
    found = provider.recent(Kind.EXPERIMENT, limit)
    assert [live.id for live in found] == [*EXPERIMENTS, OTHER][-limit:]
    assert provider.count(Kind.EXPERIMENT) == 6


def test_jobs_that_run_are_among_the_recent(store):
    cluster = WORKSPACES[0].sibling(Kind.CLUSTER, "c")
    scale = {"manual": {"targetNodeCount": 5}}
    store.put(cluster, {"properties": {"scaleSettings": scale}})
    jobs = [WORKSPACES[0].sibling(Kind.JOB, name, "a") for name in NAMES]
    for job in jobs:
        demand = Demand(cluster, 1, 1)
        store.put(job, {}, demand)
        if job.name in "bd":
            with store.transaction() as connection:
                attempt = select_attempt(connection, demand.uuid)
                start(connection, attempt, [jobs.index(job)], now())
    for limit, expected in ((2, "bdce"), (3, "bdce"), (4, "badce"), (5, "badce")):
        assert "".join(each.id.name for each in store.recent(Kind.JOB, limit)) == expected


def steps(store, ask):
    """Return how many steps the database takes to answer."""
    taken = count()
    connection = store._current()
    connection.set_progress_handler(lambda: next(taken) < 0, 1)
    ask()
    connection.set_progress_handler(None, 1)
    return next(taken)


def test_few_resources_of_many_are_found_without_a_look_at_the_others(store):
    named, last = EXPERIMENTS[0], EXPERIMENTS[-1]
    asked = [
        lambda: store.ids(Kind.EXPERIMENT, name=named.name),
        lambda: store.of_kind(Kind.EXPERIMENT, name=named.name),
        lambda: store.get(named),
        lambda: store.page(Kind.EXPERIMENT, None, place_of(store.get(last)), 1),
        lambda: store.recent(Kind.EXPERIMENT, 2),
        store.attempts.running,
        store.attempts.alive,
    ]
    before = [steps(store, ask) for ask in asked]
    with store.transaction() as connection:
        connection.execute(
            "WITH RECURSIVE copies (copy) AS "
            "(SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < 300) "
            "INSERT INTO resources (id, kind, name, parent, wire, created, updated) "
            "SELECT id || copy, kind, name || copy, parent, wire, created, updated "
            "FROM resources, copies WHERE id = ?",
            (str(EXPERIMENTS[2]),),
        )
    assert [steps(store, ask) for ask in asked] == before


def test_the_newest_attempt_stands_beside_a_job(store):
    cluster = WORKSPACES[0].sibling(Kind.CLUSTER, "c")
    store.put(cluster, {"properties": {"scaleSettings": {"manual": {"targetNodeCount": 1}}}})
    job = WORKSPACES[0].sibling(Kind.JOB, "j", "a")
    for number in (1, 2):
        demand = Demand(cluster, 1, 1)
        store.put(job, {}, demand)
        assert store.get(job).attempt.number == number
        store.attempts.ask_to_stop(demand.uuid, StopReason.CANCEL)
    (listed,) = store.of_kind(Kind.JOB)
    assert listed.attempt == store.attempts.of_job(job)[-1]
