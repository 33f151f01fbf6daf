"""What a provider does: hold live resources and run jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource
from bai.runtime.provider.live import Attempt, Event, LiveResource
from bai.runtime.provider.waiting import Waiting
from bai.specs.findings import Finding


class Provider(Protocol):
    """Who holds live resources."""

    def get(self, id: ResourceId) -> LiveResource | None:
        """Return a resource, or None if there is none."""

    def of_kind(
        self, kind: Kind, parent: ResourceId | None = None, name: str | None = None
    ) -> Sequence[LiveResource]:
        """Return the resources of a kind, oldest first; of a parent or a name, if asked for."""

    def check(
        self, resource: Resource, desired: Mapping[ResourceId, Resource]
    ) -> tuple[Finding, ...]:
        """Return what this provider can't do with a resource, before it is put.

        Args:
            resource: what is to be put.
            desired: all that is to be put with it.
        """

    def admit(self, resource: Resource, desired: Mapping[ResourceId, Resource]) -> None:
        """Check that `put` would be accepted now, and change nothing.

        Args:
            resource: what is to be put.
            desired: all that is to be put with it.

        Raises:
            NotFoundError: a job's cluster neither lives nor is desired.
            ConflictError: the cluster is in use.
        """

    def alone(self) -> AbstractContextManager[None]:
        """Keep other commands from executing their plans meanwhile."""

    def put(self, resource: Resource, number: int | None = None) -> None:
        """Create a resource or change it; a job that is put is queued as a new attempt.

        Args:
            resource: what is to be put.
            number: the number that a job's new attempt must get, for who has seen the one before.

        Raises:
            NotFoundError: its parent or, for a job, its cluster does not exist.
            ConflictError: the job's last attempt has not ended, or is not the one before
                `number`; or the cluster is in use.
        """

    def delete(self, id: ResourceId) -> None:
        """Delete a resource with all below it; running jobs are cancelled first.

        Raises:
            NotFoundError: there is none.
            ConflictError: it is in use by a job that is not below it.
        """

    def terminate(self, id: ResourceId) -> None:
        """Cancel a job; nothing happens if it has ended.

        Raises:
            NotFoundError: there is none.
        """

    def attempts(self, id: ResourceId) -> Sequence[Attempt]:
        """Return the attempts of a job, oldest first."""

    def attempt(self, uuid: str) -> Attempt:
        """Return the present state of an attempt."""

    def waiting(self, uuid: str) -> Waiting | None:
        """Return what a queued attempt waits for; None if nothing is in its way."""

    def events(self, uuid: str, after: int = 0) -> Sequence[Event]:
        """Return what happened to an attempt since the event with number `after`."""

    def reconcile(self) -> None:
        """Mend what killed processes left behind."""
