"""BAI731: a script calls Horovod's questions, and doesn't only name them.

`hvd.rank` is a function, and `hvd.rank == 0` compares it with a number: that is never true, on no
rank, so that what stands under it is never done. `if hvd.rank:` is always true. To compute with
`hvd.size` or `hvd.local_rank` raises a TypeError.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/names_rank.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bai.linter.facts.script_facts import facts, further_lines
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in facts(context):
        if found.uncalled:
            first, *rest = found.uncalled
            name = posixpath.basename(script.file)
            also = further_lines(first.line, (each.line for each in rest))
            message = f"line {first.line} of {name} uses {first.call} without calling it{also}"
            hint = f"write {first.call}()"
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule(
    "BAI731", "Horovod's questions without their calls", _check, Severity.WARNING, Stage.LINTING
)
