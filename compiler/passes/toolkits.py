"""The toolkit of a job to its *Settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from bai.compiler.passes.code import in_code
from bai.compiler.passes.command_lines import set_line
from bai.compiler.passes.gpus import gpus_of_size
from bai.compiler.passes.references import References
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.code import Code
from bai.specs.findings import Path
from bai.specs.models.base import SpecModel
from bai.specs.models.job import Job
from bai.specs.models.toolkits import TensorFlow
from bai.specs.toolkits import TOOLKITS
from bai.specs.words_of_batch_ai import wire_word

KEYS: Final = {
    "script": "pythonScriptFilePath",
    "python": "pythonInterpreterPath",
    "args": "commandLineArgs",
    "command": "commandLine",
    "config": "configFilePath",
    "language": "languageType",
    "backend": "communicationBackend",
    "masterArgs": "masterCommandLineArgs",
    "workerArgs": "workerCommandLineArgs",
    "parameterServerArgs": "parameterServerCommandLineArgs",
    "processCount": "processCount",
    "workerCount": "workerCount",
    "parameterServerCount": "parameterServerCount",
}
"""Key of a toolkit in a spec -> wire key."""
_PER_NODE: Final = {"processesPerNode": "processCount", "workersPerNode": "workerCount"}
"""Key of a number on each node -> wire key of the number on all nodes together."""

_WORDS: Final = frozenset(("language", "backend"))
"""Those of KEYS whose values are words that Batch AI may spell in another way."""
LINES: Final = frozenset(("args", "command", "masterArgs", "workerArgs", "parameterServerArgs"))
"""Those of KEYS that may be lists of words."""
FILE_KEYS: Final = ("script", "config")
"""Keys whose values are paths of files, which may be in the job's code."""
_ROLES: Final = ("masterArgs", "workerArgs", "parameterServerArgs")
"""TensorFlow's keys for the arguments of a role."""


def lower_toolkit(
    builder: WireBuilder,
    job: Job,
    references: References,
    code: Code | None,
    at: Path,
    vm_size: str | None = None,
) -> None:
    """Put the settings of the job's one toolkit.

    Args:
        builder: the job's.
        job: the job.
        references: what its texts may name.
        code: its code, if it has any.
        at: its place in the document.
        vm_size: the size of its nodes, if that is known.
    """
    name, toolkit = job.toolkit
    target: Path = ("properties", TOOLKITS[name])
    source = (*at, name)
    builder.set(target, {}, None)
    builder.mark(target, source)
    given = toolkit.given()
    for key, value in given.items():
        if key in LINES:
            for wanted in _wire_keys(key, given, toolkit, job):
                line = (*target, KEYS[wanted])
                path, is_command = (*source, key), key == "command"
                set_line(builder, line, value, references, path, owner=job, is_command=is_command)
        elif key in _WORDS:
            builder.set((*target, KEYS[key]), wire_word(value), (*source, key))
        elif key in KEYS:
            if isinstance(value, str):
                value = references.expand(value, (*source, key))
            if key in FILE_KEYS:
                value = in_code(builder.scope, code, value, (*source, key))
            builder.set((*target, KEYS[key]), value, (*source, key))
        elif key in _PER_NODE:
            count = _count(builder, value, (*source, key), vm_size)
            wire_key = (*target, _PER_NODE[key])
            builder.spans[wire_key] = builder.scope.span((*source, key))
            builder.set(wire_key, count and count * job.node_count, (*source, key))


def _wire_keys(key: str, given: Collection[str], toolkit: SpecModel, job: Job) -> Collection[str]:
    """Return the keys that a line of a toolkit stands for: itself, or several roles' arguments."""
    if key != "args" or not isinstance(toolkit, TensorFlow):
        return (key,)
    is_alone = not (toolkit.counts_workers or toolkit.parameter_server_count)
    roles = argument_roles(job.node_count, is_alone=is_alone)
    return [role for role in roles if role not in given]


def argument_roles(node_count: int, *, is_alone: bool) -> Sequence[str]:
    """Return the keys of the roles that a TensorFlow job has, of which each takes arguments.

    Args:
        node_count: the job's.
        is_alone: whether it says neither how many workers nor how many servers it has.
    """
    return _ROLES[:1] if node_count == 1 and is_alone else _ROLES


def _count(
    builder: WireBuilder, written: int | str, source: Path, vm_size: str | None
) -> int | None:
    """Return a number of processes on each node; None where only their machines say it.

    With neither a number in all nor one on each node there is one process on each node; this
    default is not written out, as the published files leave it out.
    """
    if isinstance(written, int):
        return written
    builder.per_gpu = True
    gpus = gpus_of_size(vm_size)
    if gpus == 0:
        message = f"{vm_size} has no GPU"
        hint = f"write a number, {source[-1]}: 2 for example, or a vmSize with GPUs"
        builder.scope.report("BAI809", message, builder.scope.span(source), hint)
    return gpus or None
