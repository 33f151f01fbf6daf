"""The toolkit of a job's wire form, and the arguments of its scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from bai.compiler.batchai.expressions import is_expression
from bai.linter.facts.memo import memo
from bai.linter.resource_view import ResourceView
from bai.specs.findings import Path
from bai.specs.toolkits import TOOLKITS

ARGUMENTS: Final = (
    "commandLineArgs",
    "masterCommandLineArgs",
    "workerCommandLineArgs",
    "parameterServerCommandLineArgs",
)
"""Keys of a toolkit's arguments."""


@memo
def toolkits(job: ResourceView) -> Sequence[tuple[str, dict[str, Any]]]:
    """Return (name, settings) of the toolkits of a job; a valid job has one."""
    properties = job.mapping("properties")
    return [
        (name, settings)
        for name in TOOLKITS.values()
        if type(settings := properties.get(name)) is dict
    ]


def only_toolkit(job: ResourceView) -> str | None:
    """Return the name of the job's toolkit; None unless it has exactly one."""
    properties = job.mapping("properties")
    found = [name for name in TOOLKITS.values() if name in properties]
    return found[0] if len(found) == 1 else None


def arguments(job: ResourceView) -> Iterator[tuple[Path, str]]:
    """Iterate over (path, text) of all arguments of a job's toolkit."""
    for toolkit, settings in toolkits(job):
        for key in ARGUMENTS:
            text = settings.get(key)
            if isinstance(text, str) and (job.is_compiled or not is_expression(text)):
                yield ("properties", toolkit, key), text
