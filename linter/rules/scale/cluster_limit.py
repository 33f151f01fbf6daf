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

from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.linter.rules.scale.scales import SCALE, most_nodes
from bai.specs.findings import Severity

_MOST: Final = 100
_NODES: Final = ("properties", "nodeCount")


def _check(context: RuleContext) -> Iterator[Violation]:
    for cluster in context.clusters:
        most = most_nodes(cluster)
        # What exceeds 32 bits is refused as such.
        if most is not None and _MOST < most < 2**31:
            automatic = cluster.get(*SCALE, "autoScale") is not None
            end = ("autoScale", "maximumNodeCount") if automatic else ("manual", "targetNodeCount")
            message = f"the service's clusters have at most {_MOST} nodes, found {most}"
            yield Violation(cluster, (*SCALE, *end), message, "use several clusters")
    for job in context.jobs:
        nodes = job.number(*_NODES)
        # Where the cluster is known, its own size is what matters.
        if nodes is not None and _MOST < nodes < 2**31 and not context.cluster_of(job):
            message = f"the service's clusters have at most {_MOST} nodes, the job needs {nodes}"
            yield Violation(job, _NODES, message, "use fewer nodes, or split the job")


RULE = Rule("BAI808", "more nodes than the service allows", _check, Severity.WARNING)
