"""BAI723: a script that uses Horovod initialises it.

Before `hvd.init()` Horovod knows of no other process: a question for the rank, the distributed
optimizer of PyTorch, a broadcast and every other exchange raise an error. A script that does none
of these trains in every process for itself. Modules beside the script are looked at as well, and
nothing is told if one calls init, or if the script imports what can't be looked at and may do so.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/no_init.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bai.linter.facts.script_facts import uninitialised
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in uninitialised(context):
        if found.uncalled_init is None:
            name = posixpath.basename(script.file)
            message = f"{name} imports Horovod on line {found.horovod_line} and never calls init()"
            hint = "call hvd.init() before anything else of Horovod"
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule(
    "BAI723", "a script that never initialises Horovod", _check, Severity.WARNING, Stage.LINTING
)
