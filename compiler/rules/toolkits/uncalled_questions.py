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

from bai.compiler.rules.rule import Complaint, Rule, Stage
from bai.compiler.rules.script_facts import facts, further_lines
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for script, found in facts(subjects):
        if found.uncalled:
            first, *rest = found.uncalled
            name = posixpath.basename(script.file)
            also = further_lines(first.line, (each.line for each in rest))
            message = f"line {first.line} of {name} uses {first.call} without calling it{also}"
            hint = f"write {first.call}()"
            yield Complaint(script.subject, script.path, message, hint, inside=script.inside)


RULE = Rule(
    "BAI731", "Horovod's questions without their calls", _check, Severity.WARNING, Stage.LINTING
)
