"""Rules about scripts, other files and inputs in mounted folders of this machine."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.command_lines import command_lines
from bai.linter.facts.made_files import may_be_made
from bai.linter.facts.script_paths import is_no_script
from bai.linter.facts.scripts import Script, inputs, scripts
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation
from bai.specs.names import nearest

if TYPE_CHECKING:
    from bai.linter.host import Files


@context_rule("BAI721", Kind.JOB, Kind.CLUSTER)
def missing_files(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """A script, config or requirements file in a mounted folder of this machine exists."""
    files = context.files
    if files is None:
        return
    for script in scripts(resource, context):
        found = _wrong(context, files, script)
        if found and not is_no_script(resource, script.path) and not may_be_made(context, script):
            yield Violation(script.place, *found)


def _wrong(context: RuleContext, files: Files, script: Script) -> tuple[str, str] | None:
    """Return (message, hint) about a script's file; None if it exists."""
    if files.names(script.folder) is None:
        code = script.resource.code
        if code is None or script.folder != code.folder:
            return None
        message = f"there is no folder {context.shown(code.folder)} with the job's code"
        return message, "make it, or correct the path behind code"
    shown = context.shown(script.file)
    if not files.exists(script.file):
        return f"there is no {script.what} {shown}", nearest_file(files, script)
    names = files.names(script.file)
    if names is None or (script.is_python and "__main__.py" in names):
        return None
    inner = sorted(name for name in names if name.endswith(".py"))
    hint = "add the name of the file"
    if script.is_python and len(inner) == 1:
        hint += f": did you mean {posixpath.join(shown, inner[0])}?"
    return f"the {script.what} {shown} is a folder", hint


def nearest_file(files: Files, file: Script) -> str:
    """Return what to do about a missing file, with the nearest name."""
    folder, name = posixpath.split(file.file)
    while (names := files.names(folder)) is None and folder != file.folder:
        folder, name = posixpath.split(folder)
    # Hidden names are no candidates: bai's state folder is one.
    visible = [each for each in names or () if not each.startswith(".")]
    # Names with little more in common than `.py` are not alike.
    if near := nearest(name, visible, cutoff=0.7 if "." in name else 0.6):
        return f"did you mean {near}?"
    return "put it there, or correct the path or the mount"


@context_rule("BAI744", Kind.JOB)
def missing_inputs(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """An input in a mounted folder of this machine exists."""
    files = context.files
    if files is None:
        return
    for one in inputs(job, context):
        if files.names(one.folder) is None or files.exists(one.file):
            continue
        uses = (text for _, text in command_lines(job))
        if any(f"AZ_BATCHAI_INPUT_{one.what}" in text for text in uses):
            continue  # a command that uses it may create it first
        if not may_be_made(context, one):
            message = f"there is no {context.shown(one.file)} for the input {one.what}"
            yield Violation(one.path, message, nearest_file(files, one))
