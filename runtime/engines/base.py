"""The interface between the embedded provider and an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bai.compiler.resources.resource import Resource
    from bai.runtime.jobs.recording import PendingResult
    from bai.runtime.jobs.records import Attempt
    from bai.specs.findings import Finding


class Engine(Protocol):
    """Runs the processes of attempts."""

    def check_cluster(self, resource: Resource) -> tuple[Finding, ...]:
        """Return what this engine can't do with a desired cluster."""

    def check_job(self, resource: Resource, cluster: Resource | None) -> tuple[Finding, ...]:
        """Return what this engine can't do with a desired job.

        Args:
            resource: the job, with the spans that findings point to.
            cluster: the cluster that it will run on, where it is known; without spans if it is
                not desired but lives.
        """

    def launch(self, attempt: Attempt) -> None:
        """Start the supervisor of a queued attempt, and return.

        Raises:
            LaunchError: it can't be started.
        """

    def slots(self, uuid: str) -> int | None:
        """Return how many processes an attempt lets run at once; None before its launch."""

    def pending_result(self, attempt: Attempt) -> PendingResult | None:
        """Return the result that the database could not take, on a full disk; None if none."""

    def ask_to_end(self, attempt: Attempt) -> bool:
        """Ask the process that runs an attempt to end it; return whether there is one."""

    def remove(self, attempt: Attempt) -> None:
        """Remove the files of an attempt that has ended."""

    def reconcile(self) -> None:
        """End attempts whose supervisor is gone; start queued ones that have none."""
