"""BAI710: a script is named by a path that leads somewhere.

Processes start in an empty directory of their own, so that a relative path leads to nothing, unless
a preparation brings the file or a container image holds it: jobs with one of these are left alone.
`bai apply` refuses the job for it (BAI405).

Wrong (job):

    pyTorch: {script: train.py}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from bai.linter.facts.volumes import volumes
from bai.linter.resource_view import ResourceView, RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.linter.rules.toolkits.settings import toolkits
from bai.specs.findings import Severity

_KEYS: Final = {"pythonScriptFilePath": "script", "configFilePath": "config file"}
"""Wire key of a path -> what the file is called."""


def _check(context: RuleContext) -> Iterator[Violation]:
    for job in context.jobs:
        # Batch AI's own files may be of any place.
        if not job.is_compiled or job.get("properties", "jobPreparation"):
            continue
        if job.get("properties", "containerSettings"):
            continue
        for toolkit, settings in toolkits(job):
            for key, what in _KEYS.items():
                text = settings.get(key)
                if isinstance(text, str) and _is_relative(text):
                    message = f"{what} {text!r} is a relative path, and processes start in an "
                    message += "empty directory"
                    path = ("properties", toolkit, key)
                    yield Violation(job, path, message, _hint(job, text))


def _is_relative(text: str) -> bool:
    """Return whether a path is relative, and to the directory in which a process starts."""
    # `{mounts.code}/train.py` lacks a dollar, which is told already.
    return (
        not text.startswith(("/", "-", "~", "..", "{")) and "$" not in text and text.strip() != ""
    )


def _hint(job: ResourceView, text: str) -> str:
    from bai.compiler.resources.binds import bound_directory  # few files need it

    name = posixpath.normpath(text)
    mounts = [
        path
        for kind, _, entry in volumes(job)
        if kind == "unmanagedFileSystems"
        and isinstance(path := entry.get("relativeMountPath"), str)
        and isinstance(command := entry.get("mountCommand"), str)
        and bound_directory(command)
    ]
    if len(mounts) == 1:
        return f"write ${{mounts.{mounts[0]}}}/{name}"
    return f"mount the folder that holds it, and write ${{mounts.NAME}}/{name}"


RULE = Rule("BAI710", "a script at a relative path", _check, Severity.WARNING)
