"""BAI808: a cluster has at most 100 nodes, and so has a job.

That is the service's limit for one cluster, and a job runs on one. This machine has no such limit:
this is a warning.

Wrong (cluster.json):

    {
      "scaleSettings": {"manual": {"targetNodeCount": 200}}
    }

Right (cluster.json):

    {
      "scaleSettings": {"manual": {"targetNodeCount": 100}}
    }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.cluster_scale import SCALE, most_nodes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation

_MOST: Final = 100
_NODES: Final = ("properties", "nodeCount")


@context_rule("BAI808", Kind.CLUSTER, Kind.JOB)
def cluster_limit(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    yield from (
        _of_cluster(resource) if resource.kind is Kind.CLUSTER else _of_job(resource, context)
    )


def _of_cluster(cluster: ResourceView) -> Iterator[Violation]:
    most = most_nodes(cluster)
    # What exceeds 32 bits is refused as such.
    if most is not None and _MOST < most < 2**31:
        automatic = cluster.get(*SCALE, "autoScale") is not None
        end = ("autoScale", "maximumNodeCount") if automatic else ("manual", "targetNodeCount")
        message = f"the service's clusters have at most {_MOST} nodes, found {most}"
        yield Violation((*SCALE, *end), message, "use several clusters")


def _of_job(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    nodes = job.number(*_NODES)
    # Where the cluster is known, its own size is what matters.
    if nodes is not None and _MOST < nodes < 2**31 and not context.cluster_of(job):
        message = f"the service's clusters have at most {_MOST} nodes, the job needs {nodes}"
        yield Violation(_NODES, message, "use fewer nodes, or split the job")
