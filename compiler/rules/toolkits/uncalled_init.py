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

from bai.compiler.rules.rule import Complaint, Rule, Stage
from bai.compiler.rules.script_facts import uninitialised
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for script, found in uninitialised(subjects):
        if found.uncalled_init is not None:
            name = posixpath.basename(script.file)
            message = f"line {found.uncalled_init} of {name} names init without calling it"
            hint = "write init()"
            yield Complaint(script.subject, script.path, message, hint, inside=script.inside)


RULE = Rule("BAI726", "Horovod's init without its call", _check, Severity.WARNING, Stage.LINTING)
