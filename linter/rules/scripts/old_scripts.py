"""BAI725: scripts are written for Python 3."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.script_facts import all_facts, problems
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation

if TYPE_CHECKING:
    from bai.linter.facts.scripts import Script


@context_rule("BAI725", Kind.JOB, Kind.CLUSTER)
def old_scripts(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    for script, problem in problems(resource, context):
        if problem.python2:
            yield _violation(script, problem.line, problem.message)
    for script, found in all_facts(resource, context):
        if old := found.old:
            yield _violation(script, old.line, f"Python 3 has no {old.name}")


def _violation(script: Script, line: int, sign: str) -> Violation:
    name = posixpath.basename(script.file)
    message = f"{name} looks like Python 2, line {line}: {sign}"
    key = "python" if script.resource.is_compiled else "pythonInterpreterPath"
    hint = f"`2to3 -w {name}` fixes most of it"
    if script.inside is None:
        hint += f"; if the image has Python 2, write {key}: python2"
    return Violation(script.place, message, hint)
