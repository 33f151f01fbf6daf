"""BAI746: what a script asks of a rank has not the same answer on all ranks.

Ranks are numbers that count from 0, so `hvd.rank() == hvd.size()`, which is meant for the last one,
never holds, and neither does `hvd.local_rank() == "0"`. What stands under it is done by no process,
and nothing says so: no checkpoint is written.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/asks_last.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bai.linter.facts.script_facts import facts
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in facts(context):
        for line, written, holds, hint in found.constant:
            place = f"line {line} of {posixpath.basename(script.file)}"
            message = f"{written} on {place} {'always' if holds else 'never'} holds"
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule(
    "BAI746",
    "a comparison that is the same on all ranks",
    _check,
    Severity.WARNING,
    Stage.LINTING,
)
