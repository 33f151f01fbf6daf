"""BAI726: a script calls Horovod's init, and doesn't only name it.

`hvd.init` alone is a legal statement of Python that does nothing. Horovod stays uninitialised, and
what is asked of it next raises an error.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/names_init.py"}

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
        if found.uncalled_init is not None:
            name = posixpath.basename(script.file)
            message = f"line {found.uncalled_init} of {name} names init without calling it"
            hint = "write init()"
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule("BAI726", "Horovod's init without its call", _check, Severity.WARNING, Stage.LINTING)
