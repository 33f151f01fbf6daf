"""Rules about scripts that Python can't run, or that do nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.script_facts import all_facts, problems
from bai.linter.facts.scripts import Script
from bai.linter.python.results import ScriptFacts
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.rules.scripts.script_rule import Words, script_rule
from bai.linter.violation import Violation


@context_rule("BAI722", Kind.JOB, Kind.CLUSTER)
def broken_scripts(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """Python can compile a script."""
    if not context.own_python:
        return
    for script, problem in problems(resource, context):
        if not problem.python2:
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            place = f"{script.name}, line {problem.line}"
            message = f"Python {version} can't compile {place}: {problem.message}"
            file = context.shown(script.file)
            hint = f"fix {file}:{problem.line}:{problem.column}"
            if problem.misencoded:
                hint = f"save {file} as UTF-8, or begin it with `# coding: ENCODING`"
            yield Violation(script.place, message, hint)


@context_rule("BAI725", Kind.JOB, Kind.CLUSTER)
def old_scripts(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """Scripts are written for Python 3."""
    for script, problem in problems(resource, context):
        if problem.python2:
            yield _violation(script, problem.line, problem.message)
    for script, found in all_facts(resource, context):
        if old := found.old:
            yield _violation(script, old.line, f"Python 3 has no {old.name}")


def _violation(script: Script, line: int, sign: str) -> Violation:
    message = f"{script.name} looks like Python 2, line {line}: {sign}"
    key = "python" if script.resource.is_compiled else "pythonInterpreterPath"
    hint = f"`2to3 -w {script.name}` fixes most of it"
    if script.inside is None:
        hint += f"; if the image has Python 2, write {key}: python2"
    return Violation(script.place, message, hint)


@script_rule("BAI737", gang=False)
def does_nothing(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    """The script of a job does something."""
    if facts.is_empty:
        yield (
            f"{script.name} is empty: the job would do nothing",
            f"save the script in {context.shown(script.file)}",
        )
    elif line := facts.uncalled_main:
        yield (
            f"{script.name} defines main on line {line} and never calls it: it does nothing",
            'end it with `if __name__ == "__main__": main()`',
        )
