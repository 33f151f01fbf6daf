"""BAI304: what a run needs is not empty.

An empty command, path or name is what a template left behind; the job would fail on its node.

Wrong (job.json):

    {
      "customMpiSettings": {"commandLine": ""}
    }

Right (job.json):

    {
      "customMpiSettings": {"commandLine": "python train.py"}
    }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_NEEDED: Final = frozenset(
    (
        "adminUserName",
        "commandLine",
        "configFilePath",
        "image",
        "offer",
        "path",
        "pathPrefix",
        "publisher",
        "pythonInterpreterPath",
        "pythonScriptFilePath",
        "secretUrl",
        "sku",
        "stdOutErrPathPrefix",
        "username",
        "vmSize",
    )
)
"""Keys whose text says nothing if it is empty, and is not checked in another way."""


@rule("BAI304")
def empty(resource: ResourceView) -> Iterator[Violation]:
    if resource.is_compiled:
        return  # The models of specs refuse what is empty.
    for path, text in resource.texts:
        if (not text or text.isspace()) and path[-1] in _NEEDED:
            yield Violation(path, f"{path[-1]} is empty", "give it a value")
