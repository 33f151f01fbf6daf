"""BAI737: the script of a job does something.

An empty script ends at once and without an error, so that the job succeeds and has done nothing. It
may not have been saved, or a copy of it failed. The same holds for a script that defines `main` and
never calls it, where nothing else in it does anything.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/nothing.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bai.linter.facts.script_facts import all_facts
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in all_facts(context):
        name = posixpath.basename(script.file)
        if found.is_empty:
            message = f"{name} is empty: the job would do nothing"
            hint = f"save the script in {context.shown(script.file)}"
        elif line := found.uncalled_main:
            message = f"{name} defines main on line {line} and never calls it: it does nothing"
            hint = 'end it with `if __name__ == "__main__": main()`'
        else:
            continue
        yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule("BAI737", "a script that does nothing", _check, Severity.WARNING, Stage.LINTING)
