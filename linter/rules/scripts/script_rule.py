"""Rules that check the Python scripts of a job, one script at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.script_facts import all_facts, is_alone
from bai.linter.facts.scripts import Script
from bai.linter.python.results import ScriptFacts
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Rule, context_rule
from bai.linter.violation import Violation

Words = tuple[str, str]
"""Message and hint."""
ScriptCheck = Callable[[Script, ScriptFacts, RuleContext], Iterator[Words]]


def script_rule(
    code: str, *, gang: bool = True, several: bool = False
) -> Callable[[ScriptCheck], Rule]:
    """Return a decorator that turns a check of one script that parses into a rule.

    Args:
        code: the code of its findings, which stand at the name of the script.
        gang: whether it checks only scripts that several communicating processes may run.
        several: whether it skips Horovod jobs of one process.
    """

    def decorate(check: ScriptCheck) -> Rule:
        @wraps(check)
        def check_all(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
            if several and is_alone(resource):
                return
            for script, facts in all_facts(resource, context):
                if script.gang or not gang:
                    for message, hint in check(script, facts, context):
                        yield Violation(script.place, message, hint)

        return context_rule(code, Kind.JOB, Kind.CLUSTER)(check_all)

    return decorate
