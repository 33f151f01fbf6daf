"""The interface of a provider, which holds live resources and runs jobs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.sweep import Sweep, SweepId
from bai.runtime.jobs.files import Files
from bai.runtime.jobs.records import Attempt, Event, LiveNode, LiveResource, Page
from bai.runtime.jobs.waiting import Waiting
from bai.runtime.provider.operations import Operation
from bai.runtime.scheduling.records import NodeState
from bai.specs.findings import Finding

PAGE: Final = 1_000
"""Resources on a page."""


def scaled(cluster: ResourceId, wire: Mapping[str, Any], scale: Mapping[str, Any]) -> Resource:
    """Return a cluster as it is to be with another scale.

    Args:
        cluster: the cluster.
        wire: its wire form.
        scale: its new `scaleSettings` in wire form.
    """
    return Resource(cluster, {**wire, "properties": {**wire["properties"], "scaleSettings": scale}})


class Provider(Protocol):
    """Holds live resources."""

    gpus: int | None
    """GPUs of each node that jobs get; None where only the sizes of Azure's machines say it."""
    stale: str | None
    """Why the last keeper step could not be taken; what is read may be out of date then."""

    def get(self, id: ResourceId) -> LiveResource | None:
        """Return a resource, or None if there is none."""

    def of_kind(
        self, kind: Kind, parent: ResourceId | None = None, name: str | None = None
    ) -> Sequence[LiveResource]:
        """Return the resources of a kind, oldest first, of one parent or name if given."""

    def ids(
        self, kind: Kind, parent: ResourceId | None = None, name: str | None = None
    ) -> Sequence[ResourceId]:
        """Return the ids of the resources that `of_kind` returns, in a fraction of the time."""

    def page(
        self,
        kind: Kind,
        parent: ResourceId | None = None,
        after: str | None = None,
        limit: int = PAGE,
    ) -> Page:
        """Return a part of the resources of a kind, oldest first.

        What is made meanwhile comes last, and nothing comes twice.

        Args:
            kind: their kind.
            parent: what they are in; None for anything.
            after: `next` of the page before; None for the first page.
            limit: how many there are at most.

        Raises:
            ValueError: `after` is of no page.
        """

    def recent(self, kind: Kind, limit: int = PAGE) -> Sequence[LiveResource]:
        """Return the newest resources of a kind, `limit` at most, and all jobs that run.

        Oldest first.
        """

    def count(self, kind: Kind) -> int:
        """Return how many resources of a kind there are."""

    def check(
        self, resource: Resource, desired: Mapping[ResourceId, Resource]
    ) -> tuple[Finding, ...]:
        """Return what this provider can't do with a resource, before it is put.

        Args:
            resource: the resource to put.
            desired: all resources that are to be put with it.
        """

    def consequences(self, resource: Resource) -> tuple[str, ...]:
        """Return what it would do now to put a resource, in sentences.

        These are jobs that would end, setup tasks that would run, images that would take the place
        of a job's, and accounts that are folders beside real ones.
        """

    def validate(self, resource: Resource, desired: Mapping[ResourceId, Resource]) -> None:
        """Check that `put` would be accepted now, and change nothing.

        Args:
            resource: the resource to put.
            desired: all resources that are to be put with it.

        Raises:
            NotFoundError: a job's cluster neither lives nor is desired.
            ConflictError: the cluster is in use.
        """

    def submission(
        self, job: Resource, desired: Mapping[ResourceId, Resource]
    ) -> Mapping[str, Any]:
        """Return what would be started for a job that is put now, as JSON data; change nothing.

        Args:
            job: the job, which need not live.
            desired: all resources that are to be put with it.
        """

    def plan_lock(self) -> AbstractContextManager[None]:
        """Return a lock that keeps other commands from executing their plans meanwhile."""

    def put(self, resource: Resource, number: int | None = None) -> Operation:
        """Create a resource or change it; a job that is put is queued as a new attempt.

        Args:
            resource: the resource to put.
            number: expected number of a job's new attempt (an optimistic lock); None for any.

        Raises:
            NotFoundError: its parent or, for a job, its cluster does not exist.
            ConflictError: the job's last attempt has not ended, or is not the one before
                `number`; or what it is in is being deleted.
            SecretError: a secret of the job can't be looked up.
        """

    def unkept(self, sweep: Sweep) -> Collection[str]:
        """Return the settings of a sweep that it can't keep, by their keys: `earlyStopping`."""

    def put_sweep(self, sweep: Sweep) -> None:
        """Store the settings of a sweep; members that are put later are held by them.

        Failures of members count from now on: whoever puts members puts their sweep before, changed
        or not.

        Raises:
            NotFoundError: its experiment does not exist.
            ConflictError: its experiment is being deleted.
        """

    def sweeps(self, experiment: ResourceId | None = None) -> Sequence[Sweep]:
        """Return the sweeps of an experiment, or all of them, by id."""

    def sweep(self, id: SweepId) -> Sweep | None:
        """Return a sweep, or None if there is none."""

    def members(self, id: SweepId) -> Sequence[LiveResource]:
        """Return the jobs whose newest attempts are members of a sweep, oldest first."""

    def cancel_sweep(self, id: SweepId) -> None:
        """Begin to end all members of a sweep that have not ended.

        Those that wait end at once, and none of them starts meanwhile.
        """

    def delete(self, id: ResourceId) -> Operation:
        """Begin to delete a resource with all below it; running jobs are cancelled first.

        Raises:
            NotFoundError: there is none.
            ConflictError: a job that is not below it uses it.
        """

    def cancel(self, id: ResourceId) -> Operation:
        """Begin to end the newest attempt of a job; nothing happens if it has ended.

        Raises:
            NotFoundError: there is none.
        """

    def is_done(self, operation: Operation) -> bool:
        """Return whether an operation has come to its end."""

    def complete(self, operation: Operation, seconds: float) -> bool:
        """Wait until an operation is done, for so many seconds at most; return whether it is."""

    def attempts(self, id: ResourceId) -> Sequence[Attempt]:
        """Return the attempts of a job, oldest first."""

    def attempt(self, uuid: str) -> Attempt:
        """Return the present state of an attempt.

        Raises:
            NotFoundError: there is none.
        """

    def waiting(self, uuid: str) -> Waiting | None:
        """Return what a queued attempt waits for; None if it could start now."""

    def waits(self) -> Mapping[str, Waiting]:
        """Return uuid -> what it waits for, for all queued attempts that wait for something."""

    def events(self, uuid: str, after: int = 0) -> Sequence[Event]:
        """Return what happened to an attempt since the event with number `after`.

        What only its journal has yet comes without a number, each time, until it has been imported.
        """

    def keep(self) -> None:
        """Do what follows from the state, if it can be written."""

    def is_silent(self, uuid: str) -> bool:
        """Return whether what runs an attempt is there, but shows no sign of life now."""

    def wait(self, uuids: Collection[str], seconds: float) -> None:
        """Wait until something about attempts may have changed, for `seconds` at most."""

    def properties(self, uuid: str) -> Mapping[str, Any]:
        """Return the properties of a job as an attempt runs it, in wire form.

        Raises:
            NotFoundError: the attempt or its files are gone.
        """

    def files(self, uuid: str) -> Files:
        """Return what an attempt has written.

        Raises:
            NotFoundError: the attempt or its files are gone.
        """

    def users_of(self, folder: Path) -> Mapping[ResourceId, Attempt]:
        """Return job -> attempt that has not ended, for those that use a folder of storage."""

    def resize(self, cluster: ResourceId, scale: Mapping[str, Any]) -> Operation:
        """Begin to give a cluster another scale.

        Args:
            cluster: the cluster.
            scale: its `scaleSettings` in wire form.

        Raises:
            NotFoundError: there is none.
            ConflictError: its nodes are the engine's own, and bai can't change their number.
            FindingsError: it can't be so large.
        """

    def allocation(self, cluster: ResourceId) -> tuple[str, datetime]:
        """Return the allocation state of a cluster, `steady` or `resizing`, and its begin."""

    def nodes(self, cluster: ResourceId) -> Sequence[LiveNode]:
        """Return the nodes of a cluster, by number."""

    def setup_path_suffix(self, cluster: ResourceId) -> str | None:
        """Return the path of the logs of a cluster's setup task, below its `stdOutErrPathPrefix`.

        None where setup tasks do not run.
        """

    def node_states(self, cluster: ResourceId) -> Mapping[NodeState, int]:
        """Return how many nodes of a cluster are in each state."""
