"""BAI808: a cluster has at most 100 nodes.

That is the service's limit for one cluster. This machine has no such limit: this is a warning.

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

from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.scale.scales import SCALE, most_nodes
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity

_MOST: Final = 100


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for cluster in subjects.clusters:
        most = most_nodes(cluster)
        # What exceeds 32 bits is refused as such.
        if most is not None and _MOST < most < 2**31:
            automatic = cluster.get(*SCALE, "autoScale") is not None
            end = ("autoScale", "maximumNodeCount") if automatic else ("manual", "targetNodeCount")
            message = f"the service's clusters have at most {_MOST} nodes, found {most}"
            yield Complaint(cluster, (*SCALE, *end), message, "use several clusters")


RULE = Rule("BAI808", "a cluster that is larger than the service allows", _check, Severity.WARNING)
