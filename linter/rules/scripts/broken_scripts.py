"""BAI722: Python can compile a script.

A script with a syntax error ends on all nodes at once, after they were allocated. That includes
what Python sees only when it has read everything: `return` outside a function, an argument that is
there twice, `from __future__` below other statements. Only scripts in mounted folders of this
machine can be looked at; they are compiled and never run. `bai diff` and `bai apply` do so unless
the context names another Python (`python` in bai.toml), which may know more than the one that runs
bai.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/broken.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.script_facts import problems
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation


@context_rule("BAI722", Kind.JOB, Kind.CLUSTER)
def broken_scripts(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    for script, problem in problems(resource, context):
        if not problem.python2:
            name = posixpath.basename(script.file)
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            message = (
                f"Python {version} can't compile {name}, line {problem.line}: {problem.message}"
            )
            file = context.shown(script.file)
            hint = f"mend {file}:{problem.line}:{problem.column}"
            if problem.misencoded:
                hint = f"save {file} as UTF-8, or begin it with `# coding: ENCODING`"
            yield Violation(script.place, message, hint)
