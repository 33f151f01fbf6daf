"""What a state folder holds now, with what supervisors have reported. Reading changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.sweep import Sweep, SweepId
from bai.runtime.engines.base import Engine
from bai.runtime.errors import LaunchError, NotFoundError, StateError, StorageError
from bai.runtime.jobs.files import Files
from bai.runtime.jobs.paths import AttemptPaths
from bai.runtime.jobs.progress import Step, advanced
from bai.runtime.jobs.records import (
    Attempt,
    Event,
    LiveNode,
    LiveResource,
    Page,
)
from bai.runtime.jobs.run_spec import RunSpec
from bai.runtime.jobs.setup_paths import setup_segment
from bai.runtime.jobs.waiting import Waiting
from bai.runtime.provider.base import PAGE
from bai.runtime.provider.carry_out import scale_of
from bai.runtime.provider.cluster_view import DatabaseView
from bai.runtime.provider.node_rows import cluster_uuid
from bai.runtime.provider.node_setup import NodeSetup
from bai.runtime.provider.row_mapping import StoredResource, place_of
from bai.runtime.provider.store import Store, not_found
from bai.runtime.provider.stored_form import has_listed_values
from bai.runtime.scheduling.autoscale import first_nodes
from bai.runtime.scheduling.instructions import AddNodes, Instruction, Requeue, Terminate
from bai.runtime.scheduling.records import ManualScale, NodeState
from bai.runtime.scheduling.resize import resize
from bai.runtime.scheduling.sweeps import held_waiting, held_waits
from bai.runtime.scheduling.waiting import waiting, waits

_ENDS: Final = {Requeue: "it is ended and queued again", Terminate: "it is ended"}


class LiveState:
    """The resources, attempts and nodes of a state folder."""

    def __init__(self, store: Store, engine: Engine) -> None:
        """Read the resources of a store, with an engine for its jobs."""
        self._store = store
        self._engine = engine
        self._setup = NodeSetup(store, engine)
        self.stale: str | None = None
        """Why the last keeper step could not be taken; what is read may be out of date then."""

    def get(self, id: ResourceId) -> LiveResource | None:
        """Return a resource, or None if there is none."""
        found = self._store.get(id)
        return self._whole(found) if found else None

    def of_kind(
        self, kind: Kind, parent: ResourceId | None = None, name: str | None = None
    ) -> Sequence[LiveResource]:
        """Return the resources of a kind, oldest first, of one parent or name if given."""
        live = self._live if name is None else self._whole
        return [live(stored) for stored in self._store.of_kind(kind, parent, name)]

    def ids(
        self, kind: Kind, parent: ResourceId | None = None, name: str | None = None
    ) -> Sequence[ResourceId]:
        """Return the ids of the resources that `of_kind` returns, in a fraction of the time."""
        return self._store.ids(kind, parent, name)

    def page(
        self,
        kind: Kind,
        parent: ResourceId | None = None,
        after: str | None = None,
        limit: int = PAGE,
    ) -> Page:
        """Return a part of the resources of a kind, oldest first.

        Raises:
            ValueError: `after` is of no page.
        """
        found = self._store.page(kind, parent, after, limit)
        last = place_of(found[-1]) if len(found) == limit else None
        return Page([self._live(stored) for stored in found], last)

    def recent(self, kind: Kind, limit: int = PAGE) -> Sequence[LiveResource]:
        """Return the newest resources of a kind, `limit` at most, and all jobs that run.

        Oldest first.
        """
        return [self._live(stored) for stored in self._store.recent(kind, limit)]

    def count(self, kind: Kind) -> int:
        """Return how many resources of a kind there are."""
        return self._store.count(kind)

    def consequences(self, resource: Resource) -> tuple[str, ...]:
        """Return what it would do now to put a resource, in sentences."""
        if resource.id.kind is Kind.JOB:
            return self._engine.consequences(resource)
        if resource.id.kind is not Kind.CLUSTER:
            return ()
        is_new = self._store.get(resource.id) is None
        notes = list(self._engine.consequences(resource)) if is_new else []
        if self._engine.features.has_queue:
            return tuple(notes)
        wire, cluster = resource.to_wire(), str(resource.id)
        scale = scale_of(wire)
        decided: Sequence[Instruction] = first_nodes(cluster, scale) if is_new else ()
        place = f"runs on nodes of cluster {resource.id.name} that go"
        with self._store.snapshot() as connection:
            view = DatabaseView(connection)
            if not is_new and isinstance(scale, ManualScale):
                decided = resize(view, cluster, scale)
            ends = [each for each in decided if isinstance(each, Requeue | Terminate)]
            found = [(view.running(each.attempt), _ENDS[type(each)]) for each in ends]
        jobs = [(ResourceId.parse(running.job), end) for running, end in found if running]
        notes += [f"the job {id.experiment}/{id.name} {place}: {end}" for id, end in jobs]
        added = sum(len(each.numbers) for each in decided if isinstance(each, AddNodes))
        is_fixed = isinstance(scale, ManualScale)
        if setup := self._setup.note(resource.id, wire, added if is_fixed else None):
            notes.append(setup)
        return tuple(notes)

    def attempts(self, id: ResourceId) -> Sequence[Attempt]:
        """Return the attempts of a job, oldest first."""
        return [self._current(attempt) for attempt in self._store.attempts.of_job(id)]

    def attempt(self, uuid: str) -> Attempt:
        """Return the present state of an attempt."""
        return self._current(self._store.attempts.get(uuid))

    def sweeps(self, experiment: ResourceId | None = None) -> Sequence[Sweep]:
        """Return the sweeps of an experiment, or all of them, by id."""
        return self._store.sweeps(experiment)

    def sweep(self, id: SweepId) -> Sweep | None:
        """Return a sweep, or None if there is none."""
        return self._store.sweep(id)

    def members(self, id: SweepId) -> Sequence[LiveResource]:
        """Return the jobs whose newest attempts are members of a sweep, oldest first."""
        return [self._live(stored) for stored in self._store.members(id)]

    def waiting(self, uuid: str) -> Waiting | None:
        """Return what a queued attempt waits for; None if it could start now."""
        attempt = self._store.attempts.get(uuid)
        with self._store.snapshot() as connection:
            view = DatabaseView(connection)
            if held := view.held_member(uuid):
                return held_waiting(view, held)
        if self._engine.features.has_queue:
            return self._in_queue([attempt]).get(uuid)
        cluster = self._store.get(attempt.cluster)
        if cluster is None:
            return None
        with self._store.snapshot() as connection:
            view = DatabaseView(connection)
            queued = view.queued(uuid)
            if queued is None:
                return None
            found = waiting(view, queued, self._engine.features.slots, scale_of(cluster.wire))
        return found and self._as_far_as_written(found)

    def waits(self) -> Mapping[str, Waiting]:
        """Return uuid -> what it waits for, for all queued attempts that wait for something."""
        with self._store.snapshot() as connection:
            found = dict(held_waits(DatabaseView(connection)))
        if self._engine.features.has_queue:
            return {**found, **self._in_queue(self._store.attempts.submitted())}
        with self._store.snapshot() as connection:
            view = DatabaseView(connection)
            for head in view.heads():
                if cluster := self._store.get(ResourceId.parse(head.cluster)):
                    scale = scale_of(cluster.wire)
                    found.update(waits(view, head.cluster, self._engine.features.slots, scale))
        return {uuid: self._as_far_as_written(wait) for uuid, wait in found.items()}

    def _in_queue(self, attempts: Iterable[Attempt]) -> Mapping[str, Waiting]:
        """Return uuid -> what it waits for, of those that are in the engine's own queue."""
        known = {each.uuid: each for each in attempts if each.is_submitted}
        reasons = self._engine.waiting(known.values()) if known else {}
        return {
            uuid: Waiting(known[uuid].job, known[uuid].cluster, "engine", reason=reason)
            for uuid, reason in reasons.items()
        }

    def _as_far_as_written(self, wait: Waiting) -> Waiting:
        """Return a wait; for the disk, if it can't take that those ended which are waited for."""
        if self.stale is None or wait.unit not in ("node", "process"):
            return wait
        running = map(self._current, self._store.attempts.running())
        holding = {attempt.job for attempt in running if attempt.holds_nodes}
        ended = tuple(holder for holder in wait.holders if holder[0] not in holding)
        return replace(wait, unit="disk", holders=ended) if ended else wait

    def events(self, uuid: str, after: int = 0) -> Sequence[Event]:
        """Return what happened to an attempt since the event with number `after`."""
        # Before the journal: what is imported in between comes with the next call, and not twice.
        found = self._store.attempts.events(uuid, after)
        _, steps = self._advanced(self._store.attempts.get(uuid))
        unread = [
            Event(None, uuid, step.time, step.kind, step.message, dict(step.data)) for step in steps
        ]
        return [*found, *unread]

    def is_silent(self, uuid: str) -> bool:
        """Return whether what runs an attempt is there, but shows no sign of life now."""
        attempt = self.attempt(uuid)
        return attempt.holds_nodes and self._engine.is_silent(attempt)

    def properties(self, uuid: str) -> Mapping[str, Any]:
        """Return the properties of a job as an attempt runs it, in wire form.

        Raises:
            NotFoundError: the attempt or its files are gone.
        """
        return self._spec(uuid).properties

    def users_of(self, folder: Path) -> Mapping[ResourceId, Attempt]:
        """Return job -> attempt that has not ended, for those that use a folder of storage."""
        found = {}
        for attempt in map(self._current, self._store.attempts.alive()):
            # An attempt without files, or with wrong mounts, can't lose any.
            with suppress(NotFoundError, LaunchError, StorageError):
                if not attempt.state.ended:
                    paths = AttemptPaths.of_run(self._spec(attempt.uuid))
                    if paths.uses(folder):
                        found[attempt.job] = attempt
        return found

    def files(self, uuid: str) -> Files:
        """Return what an attempt has written.

        Raises:
            NotFoundError: the attempt or its files are gone.
        """
        return self._engine.files(self._spec(uuid))

    def _spec(self, uuid: str) -> RunSpec:
        """Return what the newest run of an attempt got, or its first one would get now."""
        attempt = self._store.attempts.get(uuid)
        if attempt.run:
            return self._engine.run_spec(attempt)
        job, cluster = self._store.get(attempt.job), self._store.get(attempt.cluster)
        if job is None:
            raise NotFoundError(not_found(attempt.job))
        prepared = self._engine.prepare(attempt, job.wire, cluster.wire if cluster else None)
        return prepared.spec

    def node_states(self, cluster: ResourceId) -> Mapping[NodeState, int]:
        """Return how many nodes of a cluster are in each state."""
        if self._engine.features.has_queue:
            found = Counter(node.state for node in self._engine.nodes(cluster))
            return {state: found[state] for state in NodeState}
        return self._store.node_states(cluster)

    def allocation(self, cluster: ResourceId) -> tuple[str, datetime]:
        """Return the allocation state of a cluster, `steady` or `resizing`, and its begin."""
        states = self.node_states(cluster)
        moving = states[NodeState.PREPARING] or states[NodeState.LEAVING]
        return "resizing" if moving else "steady", self._store.allocation_since(cluster)

    def nodes(self, cluster: ResourceId) -> Sequence[LiveNode]:
        """Return the nodes of a cluster, by number; or the engine's own ones."""
        if not self._engine.features.has_queue:
            return self._store.nodes(cluster)
        return [
            LiveNode(cluster, node.name, node.state, node.since, self._job_of(node.attempt))
            for node in self._engine.nodes(cluster)
        ]

    def _job_of(self, uuid: str | None) -> ResourceId | None:
        # A deleted attempt may have its nodes for a moment more.
        with suppress(NotFoundError):
            return self._store.attempts.get(uuid).job if uuid else None
        return None

    def setup_path_suffix(self, cluster: ResourceId) -> str | None:
        """Return the path of the logs of a cluster's setup task; None where none runs."""
        stored, uuid = self._store.get(cluster), cluster_uuid(self._store, cluster)
        runs = stored is not None and self._setup.prepares(stored.wire)
        return setup_segment(cluster, uuid) if runs and uuid else None

    def _live(self, stored: StoredResource) -> LiveResource:
        if not has_listed_values(stored.id.kind, stored.wire):
            raise self._damaged(stored.id)
        attempt = self._current(stored.attempt) if stored.attempt else None
        return LiveResource(stored.id, stored.wire, stored.created, attempt, stored.deleting)

    def _whole(self, stored: StoredResource) -> LiveResource:
        """Return a resource all of which has been looked at."""
        live = self._live(stored)
        try:
            _ = live.body
        except ValueError as error:
            raise self._damaged(stored.id) from error
        return live

    def _damaged(self, id: ResourceId) -> StateError:
        return StateError(
            f"{self._store.folder / 'state.db'} is damaged: what it holds of {id.label} "
            "is not valid. Move it away to begin anew (storage and logs beside it stay)"
        )

    def _current(self, attempt: Attempt) -> Attempt:
        """Return an attempt with what its supervisor has reported and nobody has imported yet."""
        return self._advanced(attempt)[0]

    def _advanced(self, attempt: Attempt) -> tuple[Attempt, Sequence[Step]]:
        if not attempt.is_launched:
            return attempt, ()
        try:
            records, _ = self._engine.journal(attempt)
        except OSError:
            return attempt, ()
        return advanced(attempt, records)
