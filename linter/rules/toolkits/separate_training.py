"""BAI735: the processes of a Horovod job train one model.

`hvd.init()` joins the processes, and `hvd.DistributedOptimizer` (in TensorFlow 2 without Keras,
`hvd.DistributedGradientTape`) makes them learn from each other. Where it is forgotten each process
trains a model of its own; nothing fails, and what the others learned is thrown away. Both return
something new, so what they return must be used.

This is told of a script that shows that it wants one model, as it broadcasts the first weights,
scales the learning rate by `hvd.size()` or saves on the first rank alone. Nothing is told if it, or
a module that it imports, may join the processes in another way.

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.code}/apart.py"}

Right (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.code}/together.py"}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from bai.linter.facts.script_facts import facts, is_alone
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity

_TAPE: Final = "write tape = hvd.DistributedGradientTape(tape) before tape.gradient"
_OPTIMIZER: Final = "write optimizer = hvd.DistributedOptimizer(optimizer), and train with that"


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in facts(context):
        if found.dropped and not is_alone(script.resource):
            call, line = found.dropped.call, found.dropped.line
            place = f"on line {line} of {posixpath.basename(script.file)}"
            message = f"nothing uses what {call} returns {place}"
            hint = _TAPE if call.endswith("Tape") else _OPTIMIZER
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)
        step = found.separate
        if step is None or context.files is None or is_alone(script.resource):
            continue
        from bai.linter.facts.local_modules import local_modules

        modules = local_modules(script, context.files)
        if modules.complete and not any(each.coordinates for each in modules.facts[1:]):
            name = posixpath.basename(script.file)
            step_of = f"{step.call} on line {step.line} of {name}"
            message = f"every process trains a model of its own with {step_of}"
            hint = _TAPE if step.by_tape else _OPTIMIZER
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule(
    "BAI735", "processes that train for themselves", _check, Severity.WARNING, Stage.LINTING
)
