"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bai.compiler.places import narrow
from bai.compiler.resources.cluster import Cluster
from bai.compiler.resources.job import Job
from bai.compiler.resources.resource import Resource
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Severity


@dataclass(frozen=True, slots=True)
class Resources:
    """All resources of one compilation, for rules that look at more than one."""

    items: Sequence[Resource]

    def jobs(self) -> Iterator[tuple[Resource, Job]]:
        """Iterate over the jobs, each with its typed body."""
        for item in self.items:
            if isinstance(item.body, Job):
                yield item, item.body

    def clusters(self) -> Iterator[tuple[Resource, Cluster]]:
        """Iterate over the clusters, each with its typed body."""
        for item in self.items:
            if isinstance(item.body, Cluster):
                yield item, item.body

    def cluster_of(self, job: Job) -> tuple[Resource, Cluster] | None:
        """Return the cluster that a job runs on, if it is among these resources."""
        wanted = job.properties.cluster and job.properties.cluster.id
        return next((pair for pair in self.clusters() if str(pair[0].id) == wanted), None)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a rule found: the rest of the finding is the rule's own."""

    resource: Resource
    path: Path
    message: str
    hint: str | None = None
    part: str | None = None
    """The wrong part of the text at `path`, for a narrower span."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A check over compiled resources."""

    code: str
    title: str
    """What is wrong, in a few words."""
    check: Callable[[Resources], Iterator[Complaint]]
    severity: Severity = Severity.ERROR

    def findings(self, resources: Resources, document: Document) -> Iterator[Finding]:
        """Iterate over the rule's findings.

        Args:
            resources: what to check.
            document: what the resources were compiled from.
        """
        for complaint in self.check(resources):
            span = complaint.resource.span(*complaint.path)
            if span and complaint.part:
                span = narrow(span, document.text, complaint.part)
            yield Finding(self.code, self.severity, complaint.message, span, complaint.hint)
