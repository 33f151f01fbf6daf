"""Wrong values in place of the path of a Python script: commands, modules and the like."""

from __future__ import annotations

import re
from typing import Final

from bai.linter.resource_view import ResourceView
from bai.specs.findings import Path

SCRIPT_KEY: Final = "pythonScriptFilePath"
"""Wire key of a toolkit's script."""
AS_COMMAND: Final = "to run it as a command, use custom: or customMpi:"
_COMMAND: Final = r"(?:\S*/)?(?:python[0-9.]*|(?:ba|da)?sh)[ \t]+(?:-u[ \t]+)?"
_ARGUMENTS: Final = r"\.py[ \t]+-"
_OTHER: Final = {".ipynb": "a notebook", ".sh": "a shell script", ".bash": "a shell script"}
"""Ending -> what it shows a file to be."""


def may_be_no_script(text: str) -> bool:
    """Return whether `no_script` may find anything: a fast prefilter."""
    return " " in text or text.endswith(tuple(_OTHER))


def no_script(text: str) -> tuple[str, str] | None:
    """Return (what a text is, what to write instead); None if it may be a script's path."""
    if command := re.match(_COMMAND, text):
        return "the script is a command line, and no path", f"write {text[command.end() :]} alone"
    if arguments := re.search(_ARGUMENTS, text):
        end = arguments.start() + len(".py")
        return "the script's path has arguments behind it", f"put {text[end:].strip()} under args"
    for ending, what in _OTHER.items():
        if text.endswith(ending):
            way = AS_COMMAND
            if ending == ".ipynb":
                way = "convert it: jupyter nbconvert --to script"
            return f"the script is {what}, which Python can't run", way
    return None


def is_no_script(resource: ResourceView, path: Path) -> bool:
    """Return whether `no_script` finds anything; other rules then skip the file."""
    settings, text = resource.mapping(*path[:-1]), resource.text(*path)
    if path[-1] != SCRIPT_KEY or text is None or settings.get("pythonInterpreterPath") is not None:
        return False
    return may_be_no_script(text) and no_script(text) is not None
