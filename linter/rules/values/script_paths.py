"""BAI325: `script` is the path of a Python script, and nothing else.

The toolkit runs Python with it. A command line is no path, arguments belong under `args`
(`commandLineArgs` in Batch AI's files), and Python runs neither notebooks nor shell scripts. In
folders of this machine `bai lint` also looks at the first line, which may name a shell.

Wrong (job):

    pyTorch: {script: "python ${mounts.data}/train.py"}

Right (job):

    pyTorch: {script: "${mounts.data}/train.py"}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.linter.resource_view import ResourceView, RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.linter.rules.toolkits.settings import toolkits
from bai.specs.findings import Path

_KEY: Final = "pythonScriptFilePath"
_COMMAND: Final = r"(?:\S*/)?(?:python[0-9.]*|(?:ba|da)?sh)[ \t]+(?:-u[ \t]+)?"
_ARGUMENTS: Final = r"\.py[ \t]+-"
_MOUNT: Final = r"\$AZ_BATCHAI_(?:JOB_)?MOUNT_ROOT/(\w[\w-]*)"
_AS_COMMAND: Final = "to run it as a command, use custom: or customMpi:"
_OTHER: Final = {".ipynb": "a notebook", ".sh": "a shell script", ".bash": "a shell script"}
"""Ending -> what it shows a file to be."""


def _check(context: RuleContext) -> Iterator[Violation]:
    for job in context.jobs:
        for toolkit, settings in toolkits(job):
            text = settings.get(_KEY)
            if not isinstance(text, str) or not _may_be_wrong(text):
                continue
            # Another interpreter may run other files.
            if settings.get("pythonInterpreterPath") is None and (found := _wrong(text)):
                message, hint = found
                if job.is_compiled:
                    hint = re.sub(_MOUNT, r"${mounts.\1}", hint)
                else:
                    hint = hint.replace("under args", "under commandLineArgs")
                    hint = hint.replace("custom: or customMpi:", "customToolkitSettings")
                yield Violation(job, ("properties", toolkit, _KEY), message, hint)
    yield from _shell_scripts(context)


def _shell_scripts(context: RuleContext) -> Iterator[Violation]:
    if context.files is None or not context.scripts:
        return
    from bai.linter.facts.script_facts import shell_scripts

    for script in shell_scripts(context):
        if is_told(script.resource, script.path):
            continue
        message = f"{context.shown(script.file)} is a shell script, which Python can't run"
        hint = "call it with bash in the place of python"
        if script.inside is None:
            hint = _AS_COMMAND
            if not script.resource.is_compiled:
                hint = hint.replace("custom: or customMpi:", "customToolkitSettings")
        yield Violation(script.resource, script.path, message, hint, inside=script.inside)


def _may_be_wrong(text: str) -> bool:
    return " " in text or text.endswith(tuple(_OTHER))


def _wrong(text: str) -> tuple[str, str] | None:
    """Return what a text is in place of a script's path, and what to do; None if it may be one."""
    if command := re.match(_COMMAND, text):
        return "the script is a command line, and no path", f"write {text[command.end() :]} alone"
    if arguments := re.search(_ARGUMENTS, text):
        end = arguments.start() + len(".py")
        hint = f"put {text[end:].strip()} under args"
        return "the script's path has arguments behind it", hint
    for ending, what in _OTHER.items():
        if text.endswith(ending):
            way = _AS_COMMAND
            if ending == ".ipynb":
                way = "convert it: jupyter nbconvert --to script"
            return f"the script is {what}, which Python can't run", way
    return None


def is_told(resource: ResourceView, path: Path) -> bool:
    """Return whether the path of a script is told here: nothing else need be said of its file."""
    settings, text = resource.mapping(*path[:-1]), resource.text(*path)
    if path[-1] != _KEY or text is None or settings.get("pythonInterpreterPath") is not None:
        return False
    return _may_be_wrong(text) and _wrong(text) is not None


RULE = Rule("BAI325", "a script that is no path of a Python script", _check)
