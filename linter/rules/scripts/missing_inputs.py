"""BAI744: an input in a mounted folder of this machine exists."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.command_lines import command_lines
from bai.linter.facts.made_files import may_be_made
from bai.linter.facts.scripts import inputs
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.rules.scripts.missing_files import nearest_file
from bai.linter.violation import Violation


@context_rule("BAI744", Kind.JOB)
def missing_inputs(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    files = context.files
    if files is None:
        return
    for one in inputs(job, context):
        if files.names(one.folder) is None or files.exists(one.file):
            continue
        uses = (text for _, text in command_lines(job))
        if any(f"AZ_BATCHAI_INPUT_{one.id}" in text for text in uses):
            continue  # a command that uses it may create it first
        if not may_be_made(context, one):
            message = f"there is no {context.shown(one.file)} for the input {one.id}"
            yield Violation(one.path, message, nearest_file(files, one))
