"""BAI710: a script is named by a path that leads somewhere."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.facts.toolkits import toolkits
from bai.linter.facts.volumes import bound_folders
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_KEYS: Final = {"pythonScriptFilePath": "script", "configFilePath": "config file"}
"""Wire key of a path -> what the file is called."""


@rule("BAI710", Kind.JOB)
def relative_scripts(job: ResourceView) -> Iterator[Violation]:
    # In Batch AI's own files, a relative path may be meant for any folder.
    if not job.is_compiled or job.get("properties", "jobPreparation"):
        return
    if job.get("properties", "containerSettings"):
        return
    for toolkit, settings in toolkits(job):
        for key, what in _KEYS.items():
            text = settings.get(key)
            if isinstance(text, str) and _is_relative(text):
                message = f"{what} {text!r} is a relative path, and processes start in an "
                message += "empty directory"
                path = ("properties", toolkit, key)
                yield Violation(path, message, _hint(job, text))


def _is_relative(text: str) -> bool:
    """Return whether a path is relative, and to the directory in which a process starts."""
    # `{mounts.code}/train.py` lacks a dollar, which another rule reports.
    return (
        not text.startswith(("/", "-", "~", "..", "{")) and "$" not in text and text.strip() != ""
    )


def _hint(job: ResourceView, text: str) -> str:
    name = posixpath.normpath(text)
    mounts = [path for path, _ in bound_folders(job)]
    if len(mounts) == 1:
        return f"write ${{mounts.{mounts[0]}}}/{name}"
    return f"mount the folder that holds it, and write ${{mounts.NAME}}/{name}"
