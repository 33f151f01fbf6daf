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

from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.toolkits.settings import toolkits
from bai.specs.findings import Path

_KEY: Final = "pythonScriptFilePath"
_COMMAND: Final = r"(?:\S*/)?(?:python[0-9.]*|(?:ba|da)?sh)[ \t]+(?:-u[ \t]+)?"
_ARGUMENTS: Final = r"\.py[ \t]+-"
_MOUNT: Final = r"\$AZ_BATCHAI_(?:JOB_)?MOUNT_ROOT/(\w[\w-]*)"
_AS_COMMAND: Final = "to run it as a command, use custom: or customMpi:"
_OTHER: Final = {".ipynb": "a notebook", ".sh": "a shell script", ".bash": "a shell script"}
"""Ending -> what it shows a file to be."""


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for job in subjects.jobs:
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
                yield Complaint(job, ("properties", toolkit, _KEY), message, hint)
    yield from _shell_scripts(subjects)


def _shell_scripts(subjects: Subjects) -> Iterator[Complaint]:
    if subjects.files is None or not subjects.scripts:
        return
    from bai.compiler.rules.script_facts import shell_scripts

    for script in shell_scripts(subjects):
        if is_told(script.subject, script.path):
            continue
        message = f"{subjects.shown(script.file)} is a shell script, which Python can't run"
        hint = "call it with bash in the place of python"
        if script.inside is None:
            hint = _AS_COMMAND
            if not script.subject.is_compiled:
                hint = hint.replace("custom: or customMpi:", "customToolkitSettings")
        yield Complaint(script.subject, script.path, message, hint, inside=script.inside)


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


def is_told(subject: Subject, path: Path) -> bool:
    """Return whether the path of a script is told here: nothing else need be said of its file."""
    settings, text = subject.mapping(*path[:-1]), subject.text(*path)
    if path[-1] != _KEY or text is None or settings.get("pythonInterpreterPath") is not None:
        return False
    return _may_be_wrong(text) and _wrong(text) is not None


RULE = Rule("BAI325", "a script that is no path of a Python script", _check)
