"""Rules about the arguments of scripts, which no shell reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.facts.toolkits import ARGUMENTS, arguments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule, without
from bai.linter.violation import Range, Violation


@rule("BAI704", Kind.JOB, accepts=dict.fromkeys(ARGUMENTS, without("['\"\\\\]")))
def open_quotes(job: ResourceView) -> Iterator[Violation]:
    for path, text in arguments(job):
        if "'" not in text and '"' not in text and not text.endswith("\\"):
            continue
        from bai.linter.shell.argument_syntax import open_quote

        if found := open_quote(text):
            at, mark = found
            message, hint = f"the quote {mark} in the arguments is not closed", "close it"
            if mark == "\\":
                message = "the backslash at the end of the arguments has nothing behind it"
                hint = "leave it out, or write two"
            yield Violation(Range(path, at, at + 1), message, hint)


_SYNTAX: Final = ("|", "&", ";", "<", ">", "`", "$(")
"""What has a meaning to a shell."""
_HINTS: Final = {
    "output": "leave it out: what the job prints is in its logs",
    "input": "let the script open the file",
    "value": "write the value itself, or let the script find it",
}


@rule("BAI749", Kind.JOB, accepts=dict.fromkeys(ARGUMENTS, without("[|&;<>`(]")))
def shell_arguments(job: ResourceView) -> Iterator[Violation]:
    for path, text in arguments(job):
        if not any(mark in text for mark in _SYNTAX):
            continue
        from bai.linter.shell.argument_syntax import open_quote, shell_syntax

        found = None if open_quote(text) else shell_syntax(text)
        if found:
            written = text[found.start : found.end]
            message = f"no shell runs the script: it gets {written} as an argument"
            toolkit = "custom" if job.is_compiled else "customToolkitSettings"
            hint = f"run several commands with {toolkit}"
            hint = _HINTS.get(found.kind, hint)
            name = written[2:-1]
            if name.isidentifier() and name.isupper():
                hint = f"write ${name}"
            yield Violation(Range(path, found.start, found.end), message, hint)
