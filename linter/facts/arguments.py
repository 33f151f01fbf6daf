"""The arguments of toolkits' scripts in a wire form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai.expressions import is_expression
from bai.linter.facts.toolkits import toolkits
from bai.linter.resource_view import ResourceView
from bai.specs.findings import Path

_KEYS: Final = (
    "commandLineArgs",
    "masterCommandLineArgs",
    "workerCommandLineArgs",
    "parameterServerCommandLineArgs",
)


def arguments(job: ResourceView) -> Iterator[tuple[Path, str]]:
    """Iterate over (path, text) of all arguments of a job's toolkit."""
    for toolkit, settings in toolkits(job):
        for key in _KEYS:
            text = settings.get(key)
            if isinstance(text, str) and (job.is_compiled or not is_expression(text)):
                yield ("properties", toolkit, key), text
