"""BAI734: the service's variables that a script reads are set."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.batchai.variables import (
    AZURE_BATCH,
    DIRECTORY_LISTS,
    NAMES,
    PREFIX,
    directory,
)
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.scripts import Script
from bai.linter.facts.variables import (
    directory_ids,
    directory_list,
    former_variable,
    meant_variable,
)
from bai.linter.python.results import ScriptFacts, VariableRead
from bai.linter.resource_view import ResourceView
from bai.linter.rules.scripts.script_rule import Words, script_rule
from bai.specs.names import nearest


@script_rule("BAI734", gang=False)
def read_variables(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    job = script.resource
    if not facts.variables or job.kind is not Kind.JOB:
        return
    reported: set[str] = set()
    for read in facts.variables:
        name = read.name
        if name in reported or name in NAMES or name in AZURE_BATCH:
            continue
        hint = _undeclared(job, read) if directory(name) else _unknown(job, read)
        if hint and not _may_be_set(script, name):
            reported.add(name)
            yield f"line {read.line} of {script.name} reads {name}, which the job lacks", hint


def _undeclared(job: ResourceView, read: VariableRead) -> str | None:
    """Return what to do about the variable of an input or output; None if it may be right."""
    group, id = directory(read.name) or ("", "")
    ids = directory_ids(job)
    listed = job.get("properties", DIRECTORY_LISTS[group])
    if id in ids[group] or isinstance(listed, str) or any(map(is_expression, ids[group])):
        return None
    near = nearest(id, ids[group])
    # Scripts may serve several jobs, and read what only one of them declares.
    if not read.is_sure and not (near and sorted(near.lower()) == sorted(id.lower())):
        return None
    if other := next((each for each in ids if id in ids[each]), None):
        return f"did you mean {PREFIX}{other}_{id}?"
    if near:
        return f"did you mean {PREFIX}{group}_{near}?"
    return f"declare {id} under {directory_list(job, group)}"


def _unknown(job: ResourceView, read: VariableRead) -> str | None:
    """Return what to do about an unknown variable like the service's; None for all others."""
    if near := meant_variable(job, read.name):
        return f"did you mean {near}?"
    if replaced := former_variable(read.name):
        return replaced
    is_needed = read.is_sure and read.name.startswith(PREFIX)
    return "the service sets no such variable: give it a default" if is_needed else None


def _may_be_set(script: Script, name: str) -> bool:
    """Return whether the job may set a variable: it has the name, or reads settings."""
    texts = (text for _, text in script.resource.texts)
    if any(name in text for text in texts):
        return True
    command = script.resource.text(*script.path) if script.inside else ""
    return bool(command and not {"source", ".", "eval", "set"}.isdisjoint(command.split()))
