"""BAI706: a distributed TensorFlow job has arguments for workers and parameter servers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_PATH = ("properties", "tensorFlowSettings")
_ARGUMENTS: Final = {
    "workerCommandLineArgs": "workerArgs",
    "parameterServerCommandLineArgs": "parameterServerArgs",
}
"""Name on the wire -> name in specs."""


@rule("BAI706", Kind.JOB, needs_all=True, keys=_PATH[-1:])
def tensorflow_arguments(job: ResourceView) -> Iterator[Violation]:
    settings = job.mapping(*_PATH)
    counts = (settings.get("workerCount"), settings.get("parameterServerCount"))
    alone = job.number("properties", "nodeCount") == 1 and counts == (None, None)
    if not settings or alone:
        return
    names = [name for name in _ARGUMENTS if settings.get(name) is None]
    if names:
        shown = " and ".join(_ARGUMENTS[n] if job.is_compiled else n for n in names)
        message = f"a distributed job without {shown}"
        hint = "Batch AI wants them as soon as there is more than one process"
        yield Violation(_PATH, message, hint)
