"""The embedded provider: resources in the state folder, jobs on a local engine."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from bai.compiler.resources.cluster import Cluster
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.job import Job
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.toolkits import process_count
from bai.runtime.engines.base import Engine
from bai.runtime.errors import LaunchError, NotFoundError, StateError, StorageError
from bai.runtime.jobs.files import Files
from bai.runtime.jobs.paths import AttemptPaths
from bai.runtime.jobs.records import (
    Attempt,
    Event,
    ExecutionState,
    LiveResource,
    NodeState,
    Page,
    Waiting,
    terminated,
)
from bai.runtime.node.processes import await_end
from bai.runtime.provider.attempts import Demand
from bai.runtime.provider.base import PAGE
from bai.runtime.provider.row_mapping import StoredResource, place_of
from bai.runtime.provider.store import Store
from bai.runtime.provider.stored_form import has_listed_values
from bai.specs.errors import ConflictError
from bai.specs.findings import Finding

END_SECONDS = 30
"""How long `delete` waits for a cancelled job to end."""

RECONCILE_SECONDS = 2.0
"""How often `wait` looks for killed supervisors."""


class EmbeddedProvider:
    """Holds live resources in process; every change is in the database before it has effect."""

    def __init__(self, store: Store, engine: Engine) -> None:
        """Serve the resources of a store, with an engine for its jobs."""
        self._store = store
        self._engine = engine
        self._reconciled = time.monotonic()

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

    def check(
        self, resource: Resource, desired: Mapping[ResourceId, Resource]
    ) -> tuple[Finding, ...]:
        """Return what the engine can't do with a resource."""
        if resource.id.kind is Kind.CLUSTER:
            return self._engine.check_cluster(resource)
        if resource.id.kind is not Kind.JOB:
            return ()
        assert isinstance(resource.body, Job)
        cluster_id = _cluster_id(resource.body)
        cluster = desired.get(cluster_id)
        if cluster is None and (live := self.get(cluster_id)):
            cluster = Resource(live.id, live.wire)
        return self._engine.check_job(resource, cluster)

    def admit(self, resource: Resource, desired: Mapping[ResourceId, Resource]) -> None:
        """Check that `put` would be accepted now, and change nothing.

        Raises:
            NotFoundError: a job's cluster neither lives nor is desired.
            ConflictError: nodes of a cluster that would go are in use.
        """
        body = resource.body
        if isinstance(body, Cluster):
            self._store.check_scale(resource.id, resource.to_wire())
        elif isinstance(body, Job):
            cluster = _cluster_id(body)
            if cluster not in desired and self._store.get(cluster) is None:
                raise NotFoundError(not_found(cluster))

    def plan_lock(self) -> AbstractContextManager[None]:
        """Return a lock that keeps other commands on this state folder from executing plans.

        Raises:
            StateError: the folder can't be used.
        """
        return self._store.plan_lock()

    def put(self, resource: Resource, number: int | None = None) -> None:
        """Create a resource or change it; a job that is put is queued as a new attempt.

        Args:
            resource: the resource to put.
            number: expected number of a job's new attempt (an optimistic lock); None for any.

        Raises:
            NotFoundError: its parent or, for a job, its cluster does not exist.
            ConflictError: the job's last attempt has not ended, or is not the one before
                `number`; or nodes to go are in use.
            LaunchError: the engine can't start the job's supervisor.
        """
        body = resource.body
        self._record_pending()
        demand = None
        if isinstance(body, Job):
            properties = body.properties
            demand = Demand(
                _cluster_id(body),
                properties.node_count,
                process_count(properties.toolkit, properties.node_count),
                properties.scheduling_priority or "normal",
                number,
            )
        attempt = self._store.put(resource.id, resource.to_wire(), demand)
        if attempt:
            self._engine.launch(attempt)

    def _record_pending(self) -> None:
        """Record pending results: changes are refused while the database calls a job alive.

        Raises:
            StateError: the disk is still full.
        """
        for attempt in self._store.attempts.alive():
            if pending := self._engine.pending_result(attempt):
                self._store.attempts.finish(attempt.uuid, pending.end, pending.time)

    def delete(self, id: ResourceId) -> None:
        """Delete a resource with all below it; its running jobs are cancelled and awaited.

        Raises:
            NotFoundError: there is none.
            ConflictError: a job does not end in time, or one from elsewhere runs on a cluster to
                delete or waits for it. In the second case nothing has been cancelled.
        """
        if self._store.get(id) is None:
            raise NotFoundError(not_found(id))
        self._record_pending()
        others = {a.job.name for a in self._store.attempts.on(id) if not a.job.is_below(id)}
        if others:
            names = ", ".join(sorted(others))
            raise ConflictError(
                f"the {id.kind.singular} {id.name} is in use by {names}: wait for it, or cancel "
                "it first"
            )
        jobs = [stored for stored in self._store.of_kind(Kind.JOB) if stored.id.is_below(id)]
        for job in jobs:
            if job.attempt and not job.attempt.state.ended:
                self.terminate(job.id)
                self._await_end(job.attempt)
        attempts = [attempt for job in jobs for attempt in self._store.attempts.of_job(job.id)]
        self._store.delete(id)
        for attempt in attempts:
            self._engine.remove(attempt)

    def _await_end(self, attempt: Attempt) -> None:
        deadline = time.monotonic() + END_SECONDS
        while not self._store.attempts.get(attempt.uuid).state.ended:
            if time.monotonic() > deadline:
                raise ConflictError(f"the job {attempt.job.name} does not end: try again")
            time.sleep(0.05)
            self._record_pending()
            self._engine.reconcile()

    def terminate(self, id: ResourceId) -> None:
        """Cancel a job; nothing happens if it has ended.

        Raises:
            NotFoundError: there is none.
        """
        found = self._store.get(id)
        if found is None or found.attempt is None:
            raise NotFoundError(not_found(id))
        attempt = found.attempt
        try:
            alive = self._store.attempts.request_cancel(attempt.uuid)
        except StateError:
            # The disk may be full of what this very job writes.
            if not self._engine.ask_to_end(attempt):
                raise
            return
        if alive and attempt.supervisor is None:
            # No supervisor has claimed it that could end it.
            current = self._store.attempts.get(attempt.uuid)
            if current.state is ExecutionState.QUEUED and current.supervisor is None:
                self._store.attempts.finish(attempt.uuid, terminated())

    def attempts(self, id: ResourceId) -> Sequence[Attempt]:
        """Return the attempts of a job, oldest first."""
        return [self._as_ended(attempt) for attempt in self._store.attempts.of_job(id)]

    def attempt(self, uuid: str) -> Attempt:
        """Return the present state of an attempt."""
        return self._as_ended(self._store.attempts.get(uuid))

    def waiting(self, uuid: str) -> Waiting | None:
        """Return what a queued attempt waits for; None if it could start now."""
        slots = self._engine.slots(uuid)
        try:
            found = None if slots is None else self._store.attempts.waiting(uuid, slots)
        except NotFoundError:
            # The cluster is gone; the supervisor will say so.
            return None
        if found is None:
            return None
        alive = self._store.attempts.alive()
        pending = {attempt.job for attempt in alive if self._engine.pending_result(attempt)}
        ended = tuple(holder for holder in found.holders if holder[0] in pending)
        return replace(found, unit="disk", holders=ended) if ended else found

    def events(self, uuid: str, after: int = 0) -> Sequence[Event]:
        """Return what happened to an attempt since the event with number `after`."""
        return self._store.attempts.events(uuid, after)

    def wait(self, uuids: Collection[str], seconds: float) -> None:
        """Wait until something about attempts may have changed, for `seconds` at most."""
        supervisors = []
        for uuid in uuids:
            # A deleted attempt is the caller's to notice.
            with suppress(NotFoundError):
                supervisors.append(self._store.attempts.get(uuid).supervisor)
        # A supervisor ends when it has recorded the end of its attempt.
        if not await_end([each for each in supervisors if each], seconds):
            time.sleep(seconds)
        if time.monotonic() - self._reconciled > RECONCILE_SECONDS:
            self._reconciled = time.monotonic()
            # The disk may be full: what can be read is read all the same.
            with suppress(StateError):
                self.reconcile()

    def properties(self, uuid: str) -> Mapping[str, Any]:
        """Return the properties of a job as an attempt runs it, in wire form.

        Raises:
            NotFoundError: the attempt or its files are gone.
        """
        return self._paths(self._store.attempts.get(uuid)).properties

    def files(self, uuid: str) -> Files:
        """Return what an attempt has written.

        Raises:
            NotFoundError: the attempt or its files are gone.
        """
        return self._paths(self._store.attempts.get(uuid)).files

    def users_of(self, folder: Path) -> Mapping[ResourceId, Attempt]:
        """Return the attempts, by job, that have not ended and use a folder of an account."""
        found = {}
        for attempt in map(self._as_ended, self._store.attempts.alive()):
            # An attempt without files, or with wrong mounts, can't lose any.
            with suppress(NotFoundError, LaunchError, StorageError):
                if not attempt.state.ended and self._paths(attempt).uses(folder):
                    found[attempt.job] = attempt
        return found

    def node_states(self, cluster: ResourceId) -> Mapping[NodeState, int]:
        """Return how many nodes of a cluster are in each state; all states are there."""
        live = self.get(cluster)
        body = live.body if live else None
        size = body.properties.scale_settings.most_nodes if isinstance(body, Cluster) else 0
        running = len(self._store.attempts.held_nodes(cluster))
        states = dict.fromkeys(NodeState, 0)
        return states | {NodeState.IDLE: size - running, NodeState.RUNNING: running}

    def reconcile(self) -> None:
        """End attempts whose supervisor is gone; start queued ones that have none."""
        self._engine.reconcile()

    def _paths(self, attempt: Attempt) -> AttemptPaths:
        return AttemptPaths.of_attempt(self._store.folder, attempt)

    def _live(self, stored: StoredResource) -> LiveResource:
        if not has_listed_values(stored.id.kind, stored.wire):
            raise self._damaged(stored.id)
        attempt = self._as_ended(stored.attempt) if stored.attempt else None
        return LiveResource(stored.id, stored.wire, stored.created, attempt)

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

    def _as_ended(self, attempt: Attempt) -> Attempt:
        """Return an attempt, ended if its result is pending."""
        if attempt.state.ended or (pending := self._engine.pending_result(attempt)) is None:
            return attempt
        end = pending.end
        return replace(
            attempt,
            state=end.state,
            state_since=pending.time,
            phase=None,
            ended=pending.time,
            exit_code=end.exit_code,
            errors=end.errors,
            nodes=(),
        )


def not_found(id: ResourceId) -> str:
    """Return the sentence for a resource that does not exist."""
    return f"the {id.kind.singular} {id.name} does not exist"


def _cluster_id(job: Job) -> ResourceId:
    assert job.properties.cluster is not None
    return ResourceId.parse(job.properties.cluster.id)
