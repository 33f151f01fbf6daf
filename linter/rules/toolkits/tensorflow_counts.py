"""BAI703: a TensorFlow job has at most one parameter server on each node.

Batch AI places at most one of them on a node, so that there is no place for more.

Wrong (job):

    tensorFlow:
      script: "${mounts.data}/train.py"
      workerArgs: --worker
      parameterServerArgs: --server
      parameterServerCount: 2

Right (job):

    tensorFlow:
      script: "${mounts.data}/train.py"
      workerArgs: --worker
      parameterServerArgs: --server
      parameterServerCount: 1
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_PATH = ("properties", "tensorFlowSettings", "parameterServerCount")


@rule("BAI703", Kind.JOB)
def tensorflow_counts(job: ResourceView) -> Iterator[Violation]:
    count, nodes = job.number(*_PATH), job.number("properties", "nodeCount")
    if count is not None and nodes is not None and count > nodes:
        message = f"{count} parameter servers are more than nodeCount {nodes}"
        yield Violation(_PATH, message, "at most one on each node")
