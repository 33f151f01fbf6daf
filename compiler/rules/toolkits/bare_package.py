"""BAI736: a script takes Horovod's functions from the part for its framework.

The package `horovod` itself has no `init`, no `rank` and no optimizer: they are in
`horovod.torch`, `horovod.tensorflow`, `horovod.tensorflow.keras`, `horovod.keras` and
`horovod.mxnet`. `import horovod as hvd` works, and `hvd.init()` then raises an AttributeError on
all nodes.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/bare_package.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/train.py"}
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
        if use := found.bare:
            package, _, function = use.name.rpartition(".")
            name = posixpath.basename(script.file)
            place = f"{use.name} on line {use.line} of {name}"
            message = f"{place}: the package horovod has no {function}"
            example = use.part or "horovod.torch"
            written = f"import {example} as {'hvd' if package == 'horovod' else package}"
            hint = f"write {written}" if use.part else f"import a framework's part: {written}"
            if package == "horovod":
                hint += f", and hvd.{function}"
            yield Complaint(script.subject, script.path, message, hint, inside=script.inside)


RULE = Rule(
    "BAI736",
    "a function that the bare package horovod lacks",
    _check,
    Severity.WARNING,
    Stage.LINTING,
)
