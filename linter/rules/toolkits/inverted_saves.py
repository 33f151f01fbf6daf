"""BAI733: it is the first rank that writes a checkpoint, and not all the others.

`if hvd.rank():` and `if hvd.rank() != 0:` hold on all ranks but the first. What they save is
written by each of them, into each other, and in a gang of one it is not written at all.

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.code}/saves_on_others.py"}

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

from collections.abc import Iterator

from bai.linter.facts.script_facts import calls_in, facts, is_alone
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in facts(context):
        if found.other_saves and not is_alone(script.resource):
            message = f"all ranks but the first call {calls_in(script, found.other_saves)}"
            hint = "save under `if hvd.rank() == 0:`"
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule(
    "BAI733", "a checkpoint of all ranks but the first", _check, Severity.WARNING, Stage.LINTING
)
