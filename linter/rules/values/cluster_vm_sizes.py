"""BAI314: a cluster's machines are of a size that the service has clusters of.

Batch AI makes clusters of all sizes but STANDARD_A0 and the GS, DS and DSv2 series. Those have
premium disks, which nodes do not use; file servers may be of these sizes.

Wrong (cluster.json):

    {
      "vmSize": "STANDARD_DS3_V2"
    }

Right (cluster.json):

    {
      "vmSize": "STANDARD_D3_V2"
    }
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.compiler.batchai import vm_sizes
from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_PATH = ("properties", "vmSize")


@rule("BAI314", Kind.CLUSTER)
def cluster_vm_sizes(cluster: ResourceView) -> Iterator[Violation]:
    name = cluster.literal(*_PATH)
    size = vm_sizes.find(name) if name else None
    if size and not size.has_clusters:
        message = f"the service makes no clusters of {name}"
        # Standard_DS3_v2 is Standard_D3_v2 with other disks.
        plain = vm_sizes.find(re.sub("(?<=_[DG])S", "", size.name))
        hint = "choose another one"
        if plain and plain is not size:
            hint = f"{plain.name} has the same cores and memory"
        yield Violation(_PATH, message, hint)
