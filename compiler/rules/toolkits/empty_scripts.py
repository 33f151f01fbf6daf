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

from bai.compiler.rules.rule import Complaint, Rule, Stage
from bai.compiler.rules.script_facts import all_facts
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for script, found in all_facts(subjects):
        name = posixpath.basename(script.file)
        if found.is_empty:
            message = f"{name} is empty: the job would do nothing"
            hint = f"save the script in {subjects.shown(script.file)}"
        elif line := found.uncalled_main:
            message = f"{name} defines main on line {line} and never calls it: it does nothing"
            hint = 'end it with `if __name__ == "__main__": main()`'
        else:
            continue
        yield Complaint(script.subject, script.path, message, hint, inside=script.inside)


RULE = Rule("BAI737", "a script that does nothing", _check, Severity.WARNING, Stage.LINTING)
