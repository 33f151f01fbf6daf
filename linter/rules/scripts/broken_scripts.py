"""BAI722: Python can compile a script."""

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
            hint = f"fix {file}:{problem.line}:{problem.column}"
            if problem.misencoded:
                hint = f"save {file} as UTF-8, or begin it with `# coding: ENCODING`"
            yield Violation(script.place, message, hint)
