"""BAI728: one rank of the job writes a checkpoint, not one of every node.

`hvd.local_rank()` counts the processes of a node. It is 0 once on every node, so that a save under
`if hvd.local_rank() == 0:` is made by as many processes as there are nodes. This is told where they
write to the same place: below a mount, an output directory or an input directory, which the script
takes from the service's variables or the job gives it as an argument. A checkpoint in a folder of
the node's own is left alone.

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        horovod:
          script: ${mounts.code}/saves_on_nodes.py
          args: --output-dir ${mounts.data}

Right (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        horovod:
          script: ${mounts.code}/saves_once.py
          args: --output-dir ${mounts.data}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.script_facts import calls_in, facts, in_shared_folders
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in facts(context):
        nodes = script.resource.number("properties", "nodeCount") or 1
        if not found.node_saves or nodes < 2:
            continue
        if saves := in_shared_folders(script, found.node_saves):
            message = f"a rank on each of the {nodes} nodes calls {calls_in(script, saves)}"
            hint = "ask for hvd.rank() == 0; local_rank() is 0 once on every node"
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule(
    "BAI728", "a checkpoint that every node writes", _check, Severity.WARNING, Stage.LINTING
)
