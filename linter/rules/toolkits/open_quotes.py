"""BAI704: the quotes in arguments are closed.

Arguments are split into words as a shell does it. A quote that does not close leaves it open where
the last word ends.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py", args: "--name 'first try"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py", args: "--name 'first try'"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.facts.arguments import arguments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Range, Violation


@rule("BAI704", Kind.JOB)
def open_quotes(job: ResourceView) -> Iterator[Violation]:
    for path, text in arguments(job):
        if "'" not in text and '"' not in text and not text.endswith("\\"):
            continue
        from bai.linter.shell.argument_words import open_quote

        if found := open_quote(text):
            at, mark = found
            message, hint = f"the quote {mark} in the arguments is not closed", "close it"
            if mark == "\\":
                message = "the backslash at the end of the arguments has nothing behind it"
                hint = "leave it out, or write two"
            yield Violation(Range(path, at, at + 1), message, hint)
