"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.job import Job
from bai.compiler.resources.resource import Resource
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

    def cluster_of(self, job: Job) -> Resource | None:
        """Return the cluster that a job runs on, if it is among these resources."""
        if job.properties.cluster is None:
            return None
        wanted = ResourceId.parse(job.properties.cluster.id)
        return next((i for i in self.items if i.id.kind is Kind.CLUSTER and i.id == wanted), None)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a rule found: the rest of the finding is the rule's own."""

    resource: Resource
    path: Path
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A check over compiled resources."""

    code: str
    title: str
    check: Callable[[Resources], Iterator[Complaint]]
    severity: Severity = Severity.ERROR

    def findings(self, resources: Resources) -> Iterator[Finding]:
        """Iterate over the rule's findings."""
        for complaint in self.check(resources):
            span = complaint.resource.span(*complaint.path)
            yield Finding(self.code, self.severity, complaint.message, span, complaint.hint)
