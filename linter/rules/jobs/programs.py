"""Rules about settings of toolkits that go together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.facts.toolkits import toolkits
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Key, Violation

_TOOLKITS: Final = ("caffeSettings", "cntkSettings")
_CONFIG: Final = "configFilePath"
_SCRIPT: Final = "pythonScriptFilePath"
_PYTHON: Final = "pythonInterpreterPath"
_KNOWN: Final = frozenset(("languageType", _PYTHON, "commandLineArgs", "processCount"))
"""The other keys."""


@rule("BAI702", Kind.JOB, keys=_TOOLKITS)
def programs(job: ResourceView) -> Iterator[Violation]:
    """Caffe and CNTK run a config file of their own or a Python script, not both."""
    for toolkit, _ in toolkits(job):
        if toolkit in _TOOLKITS:
            yield from _check_one(job, toolkit)


def _check_one(job: ResourceView, toolkit: str) -> Iterator[Violation]:
    path = ("properties", toolkit)
    settings = job.mapping(*path)
    config, script = _CONFIG in settings, _SCRIPT in settings
    if config and script:
        message = f"{_CONFIG} and {_SCRIPT} exclude each other"
        later = [key for key in settings if key in (_CONFIG, _SCRIPT)][1]
        yield Violation(Key((*path, later)), message, "keep one of them")
        return
    if not config and not script:
        # An unknown key may be the missing one misspelt, and is reported by the schema.
        if settings.keys() <= _KNOWN:
            message = f"{toolkit} needs {_CONFIG} or {_SCRIPT}"
            yield Violation(Key(path), message, "add one of them")
        return
    if config and _PYTHON in settings:
        message, hint = f"{_PYTHON} goes with {_SCRIPT}", "leave it out"
        yield Violation(Key((*path, _PYTHON)), message, hint)
    language = (job.text(*path, "languageType") or "").lower()
    if (language == "python" and config) or (language == "brainscript" and script):
        shown = job.text(*path, "languageType")
        message = f"languageType {shown} goes with {_SCRIPT if config else _CONFIG}"
        place = (*path, "languageType")
        yield Violation(place, message, f"write {'BrainScript' if config else 'Python'}")


_PATH = ("properties", "tensorFlowSettings")
_ARGUMENTS: Final = {
    "workerCommandLineArgs": "workerArgs",
    "parameterServerCommandLineArgs": "parameterServerArgs",
}
"""Name on the wire -> name in specs."""


@rule("BAI706", Kind.JOB, needs_all=True, keys=_PATH[-1:])
def tensorflow_arguments(job: ResourceView) -> Iterator[Violation]:
    """A distributed TensorFlow job has arguments for workers and parameter servers."""
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
