"""BAI732: what exchanges with all ranks is called on all ranks.

`hvd.allreduce` and its like need every rank to call them. Under `if hvd.rank() == 0:` the first
rank waits for the others, and the job hangs until it is cancelled, on nodes that are paid for. It
does so, too, below `if hvd.rank() != 0: return`, which sends the others away. The same holds for
functions of the script that exchange something, and for `optimizer.step()` of a
`DistributedOptimizer`.

Nothing is told where the other ranks may have an exchange that matches it: in the other branch,
under another condition on the rank, or with sets of processes or `hvd.join()`.

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.code}/averages_alone.py"}

Right (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bai.linter.facts.script_facts import facts, further_lines, is_alone
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in facts(context):
        if not found.lonely or is_alone(script.resource):
            continue
        first, *rest = found.lonely
        name = posixpath.basename(script.file)
        also = further_lines(first.line, (each.line for each in rest))
        ranks = "only rank 0 calls" if first.by_first else "all ranks but the first call"
        message = f"{ranks} {first.call} on line {first.line} of {name}{also}"
        hint = f"call it on all ranks: {first.exchange}() needs every one of them"
        yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule(
    "BAI732", "an exchange that not all ranks take part in", _check, Severity.WARNING, Stage.LINTING
)
