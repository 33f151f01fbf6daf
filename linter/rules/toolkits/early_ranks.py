"""BAI727: a script uses Horovod after it has initialised it.

Before `hvd.init()` a process belongs to no gang: `hvd.rank()`, `hvd.size()`, `hvd.local_rank()` and
their like raise `ValueError: Horovod has not been initialized`. With PyTorch broadcasts, the other
exchanges and `hvd.DistributedOptimizer` fail as well. This is told where the call surely runs
first: in the module itself, or in functions that it calls on the way. A default of a function's
parameter runs where the function is defined.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/asks_early.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bai.linter.facts.script_facts import facts, initialised_beside
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in facts(context):
        if (early := found.early) and not initialised_beside(script, context):
            name = posixpath.basename(script.file)
            message = f"{early.call}() on line {early.line} of {name} runs before init()"
            hint = f"call init() first: before it, {early.call}() fails"
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule("BAI727", "a use of Horovod before init", _check, Severity.WARNING, Stage.LINTING)
