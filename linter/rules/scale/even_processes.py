"""BAI806: the processes of a job spread evenly over its nodes.

With three processes on two nodes one node does twice the work of the other, and all wait for it at
every step.

Wrong (job.json):

    {
      "nodeCount": 2,
      "horovodSettings": {"pythonScriptFilePath": "train.py", "processCount": 3}
    }

Right (job.json):

    {
      "nodeCount": 2,
      "horovodSettings": {"pythonScriptFilePath": "train.py", "processCount": 4}
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.facts.toolkits import toolkits
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation


@rule("BAI806", Kind.JOB)
def even_processes(job: ResourceView) -> Iterator[Violation]:
    nodes = job.number("properties", "nodeCount")
    if nodes is None or nodes < 2:
        return
    for toolkit, settings in toolkits(job):
        count = settings.get("processCount")
        # Fewer processes than nodes are for one process that uses all GPUs of its node.
        if type(count) is int and count > nodes and count % nodes:
            message = f"{count} processes do not spread evenly over {nodes} nodes"
            below = count - count % nodes
            hint = f"{below} or {below + nodes} would"
            yield Violation(("properties", toolkit, "processCount"), message, hint)
