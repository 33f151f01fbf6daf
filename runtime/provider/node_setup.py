"""Prepares new nodes: runs the setup tasks of their clusters, and records how these end."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.runtime.engines.base import Engine
from bai.runtime.engines.setup_tasks import SetupTasks
from bai.runtime.errors import LaunchError, SecretError
from bai.runtime.jobs.records import JobError
from bai.runtime.jobs.setup_records import PreparingNode
from bai.runtime.provider.node_rows import (
    begin_run,
    clusters_below,
    finish,
    nodes_below,
    preparing_nodes,
)
from bai.runtime.provider.row_mapping import now
from bai.runtime.provider.store import Store
from bai.runtime.scheduling.preparation import RUNS, Step, TaskReport, TaskState, judge
from bai.runtime.scheduling.records import NodeState
from bai.runtime.secrets import missing_variables, setup_submitted_by
from bai.specs.codes import make_finding
from bai.specs.findings import Finding, Path
from bai.specs.words import counted

_NEW = TaskReport(TaskState.NOT_STARTED)


class NodeSetup:
    """The preparation of nodes, for one state folder and its engine.

    What an engine keeps of nodes that are gone or ready is removed, and a task that still runs on
    one is ended.
    """

    def __init__(self, store: Store, engine: Engine) -> None:
        """Prepare the nodes of a store on an engine."""
        self._store = store
        self._engine = engine

    @property
    def _tasks(self) -> SetupTasks | None:
        return self._engine.setup_tasks

    def prepares(self, cluster: Mapping[str, Any]) -> bool:
        """Return whether new nodes of a cluster, given in wire form, have to be prepared."""
        return self._tasks is not None and self._tasks.runs and bool(setup_task(cluster))

    def new_nodes(self, cluster: str) -> NodeState:
        """Return the state of nodes that are added to a cluster."""
        found = self._store.get(ResourceId.parse(cluster))
        return NodeState.PREPARING if found and self.prepares(found.wire) else NodeState.IDLE

    def accept(self, uuid: str, cluster: Mapping[str, Any]) -> None:
        """Keep what the setup task of a cluster gets of this process: environment and secrets.

        Where a secret can't be looked up, what was kept before stays.

        Args:
            uuid: the cluster's.
            cluster: its wire form.

        Raises:
            SecretError: a secret can't be looked up, and nothing was kept before.
            OSError: it can't be written.
        """
        if self._tasks is None or not self.prepares(cluster):
            return
        servers = [each.wire for each in self._store.of_kind(Kind.FILE_SERVER)]
        try:
            submitted = setup_submitted_by(
                os.environ, cluster, servers, self._engine.features.accounts
            )
        except SecretError:
            if not self._tasks.has_accepted(uuid):
                raise
        else:
            self._tasks.accept(uuid, submitted)

    def missing_secrets(self, cluster: Resource) -> Iterator[Finding]:
        """Iterate over the secrets of a cluster's setup task that can't be looked up now."""
        wire = cluster.to_wire()
        if self.prepares(wire):
            at: Path = ("properties", "nodeSetup", "setupTask", "secrets")
            for index, reason in missing_variables(setup_task(wire).get("secrets") or ()):
                yield make_finding("BAI604", reason, cluster.span(*at, index))

    def forget(self, uuid: str) -> None:
        """Remove what `accept` kept for a cluster that goes."""
        if self._tasks is not None:
            self._tasks.forget(uuid)

    def catch_up(self) -> None:
        """Record how setup tasks ended, run those that were killed again, and end needless ones.

        Raises:
            StateError: the state can't be written.
        """
        nodes = self.end_needless()
        started = [node for node in nodes if node.run]
        reports = self._tasks.observe(started) if self._tasks else {}
        for node in nodes:
            self._settle(node, reports.get(node.uuid, _NEW))

    def end_needless(self) -> list[PreparingNode]:
        """End the setup tasks of nodes that are gone, and remove what is kept of them.

        Returns:
            The nodes that are being prepared.
        """
        # In this order: a node that comes in between has nothing that is looked at here.
        kept = self._tasks.kept() if self._tasks else ()
        nodes = preparing_nodes(self._store)
        for uuid in {*kept} - {node.uuid for node in nodes}:
            self._remove(uuid)
        return nodes

    def start(self) -> None:
        """Run the setup tasks of new nodes.

        Raises:
            StateError: the state can't be written.
        """
        for node in preparing_nodes(self._store):
            if not node.run:
                self._settle(node, _NEW)

    def is_settled(self) -> bool:
        """Return whether nothing is left of nodes that are gone."""
        if self._tasks is None:
            return True
        kept = {*self._tasks.kept()}
        return kept <= {node.uuid for node in preparing_nodes(self._store)}

    def release(self, id: ResourceId) -> bool:
        """Remove what is kept of clusters and nodes below a resource that is being deleted.

        Returns:
            Whether all is gone; a setup task that runs is asked to end, which takes a moment.
        """
        if self._tasks is None:
            return True
        below = {*nodes_below(self._store, id)}
        gone = [self._remove(uuid) for uuid in self._tasks.kept() if uuid in below]
        if all(gone):
            for uuid in clusters_below(self._store, id):
                self._tasks.forget(uuid)
        return all(gone)

    def note(self, id: ResourceId, cluster: Mapping[str, Any], added: int | None) -> str | None:
        """Return a sentence about the setup task that new nodes of a cluster will run.

        Args:
            id: the cluster.
            cluster: its wire form.
            added: how many nodes it gets now; None if that is not fixed.
        """
        if self._tasks is None or added == 0 or not self.prepares(cluster):
            return None
        line = setup_task(cluster)["commandLine"]
        shown = line if line.isprintable() else json.dumps(line, ensure_ascii=False)
        nodes = "each new node" if added is None else f"each of {counted(added, 'new node')}"
        once = f"once for {nodes} of cluster {id.name}, {self._tasks.place}"
        return f"the setup task runs {once}: {shown}"

    def _settle(self, node: PreparingNode, report: TaskReport) -> None:
        may_run = self._tasks is not None and self._tasks.runs
        verdict = judge(report, node.run, may_run=may_run)
        match verdict.step:
            case Step.RUN:
                self._run(node, report)
            case Step.USE | Step.GIVE_UP:
                finish(self._store, node, verdict.errors, now())
                self._remove(node.uuid)

    def _run(self, node: PreparingNode, report: TaskReport) -> None:
        cluster = self._store.get(node.cluster)
        if self._tasks is None or cluster is None:
            return
        try:
            if node.run and report.state is TaskState.NOT_STARTED and not self._tasks.revoke(node):
                # It has started after all.
                return
        except OSError:
            # A full disk; the next step tries again.
            return
        begun = begin_run(self._store, node)
        if begun is None:
            return
        try:
            self._tasks.launch(begun, cluster.wire)
        except LaunchError as error:
            if begun.run >= RUNS:
                found = JobError("SetupTaskLaunchFailed", f"The setup task does not start: {error}")
                finish(self._store, begun, [found], now())

    def _remove(self, uuid: str) -> bool:
        # What can't be removed now is tried again by the next step.
        with suppress(OSError):
            return self._tasks is None or self._tasks.remove(uuid)
        return False


def setup_task(cluster: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the setup task of a cluster in wire form; empty if it has none."""
    found: Mapping[str, Any] = (cluster["properties"].get("nodeSetup") or {}).get("setupTask") or {}
    return found
