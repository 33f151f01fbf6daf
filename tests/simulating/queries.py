"""Whether a state answers the queries of a `ClusterView` as the plain model does."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from simulating.model import RUNNING, Model, require

from bai.runtime.scheduling.records import Counts, NodeState, SweepLimits
from bai.runtime.scheduling.view import ClusterView

_SOME = 5
"""How many elements of endless answers are compared."""


def check_queries(view: ClusterView, model: Model, now: float) -> None:
    """Compare every query on every cluster.

    Raises:
        Violation: an answer differs.
    """
    lines = {cluster: model.line(cluster) for cluster in model.nodes}
    heads = sorted((line[0] for line in lines.values() if line), key=lambda each: each.rank)
    _same("heads", view.heads(), heads)
    _same("processes", [view.processes()], [model.processes()])
    oldest = sorted(model.running.values(), key=lambda gang: gang.queued.order)
    held = [(gang.queued.job, gang.queued.processes) for gang in oldest]
    _same("process_holders", view.process_holders(), held)
    _same("running", [view.running("none")], [None])
    _check_sweeps(view, model)
    for cluster, line in lines.items():
        _same("queue", view.queue(cluster), line)
        _same("before", [view.before(each) for each in line], range(len(line)))
        _check_nodes(view, model, cluster, now)
        _check_gangs(view, model, cluster)


def _check_sweeps(view: ClusterView, model: Model) -> None:
    names = sorted(name for name in model.sweeps if model.alive(name) or model.held_of(name))
    _same("sweeps", [each.sweep for each in view.sweeps()], names)
    _same("sweep", [view.sweep("none")], [None])
    for name, true in model.sweeps.items():
        limits = SweepLimits(name, true.concurrency, true.most_failures, true.failures)
        _same("sweep", [view.sweep(name)], [limits])
        held = model.held_of(name)
        _same("held", view.held(name), held)
        _same("held_before", map(view.held_before, held), range(len(held)))
        _same("active", [view.active(name)], [len(model.alive(name))])
        _same("unstarted", view.unstarted(name), model.unstarted(name))


def _check_nodes(view: ClusterView, model: Model, cluster: str, now: float) -> None:
    nodes = model.nodes[cluster]
    queued = sum(each.nodes for each in model.line(cluster))
    counts = Counts(*(model.count(cluster, state) for state in NodeState), queued_nodes=queued)
    _same("counts", [view.counts(cluster)], [counts])
    absent = (number for number in range(len(nodes) + _SOME) if number not in nodes)
    _same("absent", islice(view.absent(cluster), _SOME), islice(absent, _SOME))
    for state in NodeState:
        numbers = sorted(number for number, node in nodes.items() if node.state is state)
        _same("nodes", [node.number for node in view.nodes(cluster, state)], numbers)
        highest = view.nodes(cluster, state, highest_first=True)
        _same("nodes", [node.number for node in highest], reversed(numbers))
        begin, end = now - 50, now
        outside = [number for number in numbers if not begin <= nodes[number].since <= end]
        found = view.nodes_outside(cluster, state, begin, end)
        _same("nodes_outside", sorted(node.number for node in found), outside)
    for number in range(max(nodes, default=0) + 2):
        node, true = view.node(cluster, number), nodes.get(number)
        answer = None if node is None else (node.number, node.state, node.since, node.attempt)
        _same("node", [answer], [true and (number, true.state, true.since, true.holder)])


def _check_gangs(view: ClusterView, model: Model, cluster: str) -> None:
    gangs = [gang for gang in model.running.values() if gang.queued.cluster == cluster]
    gangs.sort(key=lambda gang: gang.queued.order)
    for gang in gangs:
        queued, found = gang.queued, view.running(gang.queued.attempt)
        require(found is not None, "a running attempt is found", queued)
        assert found is not None
        answer = (found.attempt, found.job, found.cluster, found.nodes, found.processes)
        _same(
            "running", answer, [queued.attempt, queued.job, cluster, gang.nodes, queued.processes]
        )
        more = (found.priority, found.order, found.ending)
        _same("running", more, [queued.priority, queued.order, gang.ending])
    ending = [gang.queued.attempt for gang in gangs if gang.ending]
    _same("ending", [each.attempt for each in view.ending(cluster)], ending)
    others = [gang for gang in gangs if not gang.ending]
    for sign, answer in ((1, view.gangs(cluster, 0)), (-1, view.largest_gangs(cluster))):
        others.sort(
            key=lambda gang: (sign * len(gang.nodes), gang.queued.priority, -gang.queued.order)
        )
        _same("gangs", [each.attempt for each in answer], [gang.queued.attempt for gang in others])
    large = [each.attempt for each in view.gangs(cluster, 3)]
    enough = [each.attempt for each in view.gangs(cluster, 0) if len(each.nodes) >= 3]
    _same("gangs", large, enough)
    nodes = model.nodes[cluster]
    counts = [(g.queued.job, sum(nodes[n].state is RUNNING for n in g.nodes)) for g in gangs]
    _same("node_holders", view.node_holders(cluster), [each for each in counts if each[1]])


def _same(query: str, answer: Iterable[object], true: Iterable[object]) -> None:
    found, wanted = list(answer), list(true)
    require(found == wanted, f"the query {query} answers the truth", found, wanted)
