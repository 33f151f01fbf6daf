"""The embedded provider: resources in the state folder, jobs on an engine."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import uuid4

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.sweep import Sweep, SweepId, sweep_of
from bai.runtime.engines.base import Engine
from bai.runtime.errors import NotFoundError, StateError
from bai.runtime.jobs.records import Attempt, ExecutionState, StopReason
from bai.runtime.provider.attempt_rows import Demand
from bai.runtime.provider.base import scaled
from bai.runtime.provider.keeper import Keeper
from bai.runtime.provider.live_state import LiveState
from bai.runtime.provider.node_rows import cluster_uuid
from bai.runtime.provider.operations import Operation, OperationKind
from bai.runtime.provider.row_mapping import now
from bai.runtime.provider.store import Store, not_found
from bai.runtime.scheduling.records import NodeState
from bai.runtime.secrets import submitted_by
from bai.specs.errors import ConflictError
from bai.specs.findings import Finding, FindingsError, errors

if TYPE_CHECKING:
    from bai.compiler.resources.job import Job, JobProperties

STEP_SECONDS = 2.0
"""How often a process that waits takes a keeper step."""

LOOK_SECONDS = 0.05
"""How often it looks whether an operation is done."""

_NO_UUID: Final = "UUID"
"""What stands for the uuid of an attempt that is not put."""


class EmbeddedProvider(LiveState):
    """Holds live resources in process; every change is in the database before it has effect."""

    def __init__(self, store: Store, engine: Engine) -> None:
        """Serve the resources of a store, with an engine for its jobs."""
        super().__init__(store, engine)
        self.gpus = engine.features.gpus
        self._keeper = Keeper(store, engine)
        self._kept = time.monotonic()

    def check(
        self, resource: Resource, desired: Mapping[ResourceId, Resource]
    ) -> tuple[Finding, ...]:
        """Return what the engine can't do with a resource."""
        if resource.id.kind is Kind.CLUSTER:
            is_new = self._store.get(resource.id) is None
            missing = self._setup.missing_secrets(resource) if is_new else ()
            return (*self._engine.check_cluster(resource), *missing)
        if resource.id.kind is not Kind.JOB:
            return ()
        return self._engine.check_job(resource, self._cluster_of(resource, desired))

    def _cluster_of(self, job: Resource, desired: Mapping[ResourceId, Resource]) -> Resource | None:
        """Return the cluster of a job as it is desired, or else as it lives; None if neither."""
        id = _cluster_id(_properties(job))
        if id in desired:
            return desired[id]
        live = self.get(id)
        return Resource(live.id, live.wire) if live else None

    def validate(self, resource: Resource, desired: Mapping[ResourceId, Resource]) -> None:
        """Check that `put` would be accepted now, and change nothing.

        Raises:
            NotFoundError: a job's cluster neither lives nor is desired.
        """
        if resource.id.kind is Kind.JOB:
            cluster = _cluster_id(_properties(resource))
            if cluster not in desired and self._store.get(cluster) is None:
                raise NotFoundError(not_found(cluster))

    def submission(
        self, job: Resource, desired: Mapping[ResourceId, Resource]
    ) -> Mapping[str, Any]:
        """Return what the engine would start for a job that is put now; change nothing.

        The attempt has no uuid yet, and the first nodes of its cluster, or those that the engine's
        queue will choose.
        """
        cluster = self._cluster_of(job, desired)
        time = now()
        properties = _properties(job)
        attempt = Attempt(
            uuid=_NO_UUID,
            job=job.id,
            cluster=_cluster_id(properties),
            number=1,
            state=ExecutionState.QUEUED,
            process_count=properties.process_count,
            created=time,
            state_since=time,
            nodes=() if self._engine.features.has_queue else tuple(range(properties.node_count)),
            run=1,
        )
        of_cluster = cluster.to_wire() if cluster else None
        return self._engine.prepare(attempt, job.to_wire(), of_cluster).shown()

    def plan_lock(self) -> AbstractContextManager[None]:
        """Return a lock that keeps other commands on this state folder from executing plans.

        Raises:
            StateError: the folder can't be used.
        """
        return self._store.plan_lock()

    def put(self, resource: Resource, number: int | None = None) -> Operation:
        """Create a resource or change it; a job that is put is queued as a new attempt.

        Args:
            resource: the resource to put.
            number: expected number of a job's new attempt (an optimistic lock); None for any.

        Raises:
            NotFoundError: its parent or, for a job, its cluster does not exist.
            ConflictError: the job's last attempt has not ended, or is not the one before
                `number`; or what it is in is being deleted.
            SecretError: a secret of the job or the setup task can't be looked up.
            OSError: their files can't be written.
        """
        # What a journal says already may make way for this change.
        self._keeper.catch_up()
        if resource.id.kind is Kind.JOB:
            operation = self._put_job(resource, _properties(resource), number)
        else:
            operation = self._put_other(resource)
        self._keeper.schedule()
        return operation

    def _put_other(self, resource: Resource) -> Operation:
        if resource.id.kind is Kind.CLUSTER:
            return self._put_cluster(resource)
        self._store.put(resource.id, resource.to_wire())
        return Operation(OperationKind.PUT, resource.id)

    def _put_cluster(self, resource: Resource) -> Operation:
        wire, known = resource.to_wire(), cluster_uuid(self._store, resource.id)
        uuid = known or str(uuid4())
        # Before there are nodes to prepare; whoever prepares them has another environment.
        self._setup.accept(uuid, wire)
        try:
            new_nodes = NodeState.PREPARING if self._setup.prepares(wire) else NodeState.IDLE
            # The nodes of an engine with a queue of its own are not made here.
            made = None if self._engine.features.has_queue else new_nodes
            stopped = self._store.put(resource.id, wire, new_nodes=made, uuid=uuid)
        except BaseException:
            if known is None:
                self._setup.forget(uuid)
            raise
        self._keeper.stop(stopped)
        self._setup.end_needless()
        resizes = known and not self._engine.features.has_queue
        return Operation(OperationKind.RESIZE if resizes else OperationKind.PUT, resource.id)

    def _put_job(
        self, resource: Resource, properties: JobProperties, number: int | None
    ) -> Operation:
        demand = Demand(
            _cluster_id(properties),
            properties.node_count,
            properties.process_count,
            properties.scheduling_priority or "normal",
            number,
            sweep_of(resource.id, resource.wire),
        )
        wire = resource.to_wire()
        servers = self._store.of_kind(Kind.FILE_SERVER)
        live = (self._store.get(demand.cluster), *servers)
        others = [resource.left_out, *(each.wire for each in live if each)]
        # Before anything can start it; whoever does that has another environment.
        submitted = submitted_by(os.environ, wire, others, self._engine.features.accounts)
        self._engine.accept(demand.uuid, submitted)
        try:
            self._store.put(resource.id, wire, demand)
        except BaseException:
            self._engine.remove(demand.uuid)
            raise
        return Operation(OperationKind.PUT, resource.id, demand.uuid)

    def unkept(self, sweep: Sweep) -> Collection[str]:  # noqa: ARG002
        """Return nothing: all settings are kept."""
        return ()

    def put_sweep(self, sweep: Sweep) -> None:
        """Store the settings of a sweep, and count failures of its members from now on.

        Raises:
            NotFoundError: its experiment does not exist.
        """
        self._keeper.catch_up()
        self._store.put_sweep(sweep)
        self._keeper.schedule()

    def cancel_sweep(self, id: SweepId) -> None:
        """Begin to end all members of a sweep that have not ended."""
        # What a journal says already has ended by itself.
        self._keeper.catch_up()
        self._keeper.stop(self._store.cancel_sweep(id))
        self._keeper.schedule()

    def resize(self, cluster: ResourceId, scale: Mapping[str, Any]) -> Operation:
        """Begin to give a cluster another scale.

        Args:
            cluster: the cluster.
            scale: its `scaleSettings` in wire form.

        Raises:
            NotFoundError: there is none.
            ConflictError: its nodes are the engine's own.
            FindingsError: the engine has no room for so many nodes.
        """
        stored = self._store.get(cluster)
        if stored is None:
            raise NotFoundError(not_found(cluster))
        if self._engine.features.has_queue:
            raise ConflictError(
                f"the cluster {cluster.name} can't be resized: its nodes are those of the engine's "
                "own cluster, whose administrator can change them"
            )
        resource = scaled(cluster, stored.wire, scale)
        if found := errors(self._engine.check_cluster(resource)):
            raise FindingsError(found)
        return self.put(resource)

    def delete(self, id: ResourceId) -> Operation:
        """Begin to delete a resource with all below it; its running jobs are cancelled first.

        Raises:
            NotFoundError: there is none.
            ConflictError: a job from elsewhere runs on a cluster to delete, or waits for it.
                Nothing has been cancelled then.
        """
        self._keeper.catch_up()
        self._keeper.stop(self._store.begin_deletion(id))
        self._keeper.step()
        return Operation(OperationKind.DELETE, id)

    def cancel(self, id: ResourceId) -> Operation:
        """Begin to end the newest attempt of a job; nothing happens if it has ended.

        Raises:
            NotFoundError: there is none.
        """
        found = self._store.get(id)
        if found is None or found.attempt is None:
            raise NotFoundError(not_found(id))
        operation = Operation(OperationKind.CANCEL, id, found.attempt.uuid)
        try:
            attempt = self._store.attempts.ask_to_stop(found.attempt.uuid, StopReason.CANCEL)
        except StateError:
            if not found.attempt.holds_nodes:
                raise
            # The disk may be full of what this very job writes.
            attempt = replace(found.attempt, stop=StopReason.CANCEL)
        if attempt:
            self._keeper.stop([attempt])
        return operation

    def is_done(self, operation: Operation) -> bool:
        """Return whether an operation has come to its end."""
        match operation.kind:
            case OperationKind.PUT:
                return True
            case OperationKind.DELETE:
                return self._store.get(operation.resource) is None
            case OperationKind.CANCEL:
                assert operation.attempt is not None
                try:
                    return self.attempt(operation.attempt).state.ended
                except NotFoundError:
                    return True
            case OperationKind.RESIZE:
                is_steady = self.allocation(operation.resource)[0] == "steady"
                return is_steady and self._setup.is_settled()

    def complete(self, operation: Operation, seconds: float) -> bool:
        """Wait until an operation is done, for so many seconds at most; return whether it is."""
        deadline = time.monotonic() + seconds
        while not self.is_done(operation):
            if time.monotonic() > deadline:
                return False
            time.sleep(LOOK_SECONDS)
            self._keeper.step()
        return True

    def keep(self) -> None:
        """Take a keeper step, if the state can be written; `stale` says if not."""
        self._kept = time.monotonic()
        try:
            self._keeper.step()
            self.stale = None
        except StateError as error:
            self.stale = str(error)

    def wait(self, uuids: Collection[str], seconds: float) -> None:
        """Wait until something about attempts may have changed, for `seconds` at most."""
        attempts = []
        for uuid in uuids:
            # A deleted attempt is the caller's to notice.
            with suppress(NotFoundError):
                attempts.append(self.attempt(uuid))
        self._engine.wait(attempts, seconds)
        if time.monotonic() - self._kept > STEP_SECONDS:
            self.keep()


def _properties(job: Resource) -> JobProperties:
    """Return the typed properties of a job; their models take long to import."""
    return cast("Job", job.body).properties


def _cluster_id(job: JobProperties) -> ResourceId:
    assert job.cluster is not None
    return ResourceId.parse(job.cluster.id)
