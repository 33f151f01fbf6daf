"""The toolkit of a job to its *Settings."""

from __future__ import annotations

from typing import Final

from bai.compiler.passes.code import in_code
from bai.compiler.passes.command_lines import set_line
from bai.compiler.passes.references import References
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.code import Code
from bai.specs.findings import Path
from bai.specs.models.job import Job
from bai.specs.models.toolkits import Processes
from bai.specs.toolkits import TOOLKITS

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
    "workerCount": "workerCount",
    "parameterServerCount": "parameterServerCount",
}
"""Key of a toolkit in a spec -> wire key; the process counts have a pass of their own."""

LINES: Final = frozenset(("args", "command", "masterArgs", "workerArgs", "parameterServerArgs"))
"""Those of KEYS that may be lists of words."""


_FILES: Final = ("script", "config")
"""Keys whose values are paths of files, which may be in the job's code."""


def lower_toolkit(
    builder: WireBuilder, job: Job, references: References, code: Code | None, at: Path
) -> None:
    """Put the settings of the job's one toolkit.

    Args:
        builder: the job's.
        job: the job.
        references: what its texts may name.
        code: its code, if it has any.
        at: its place in the document.
    """
    name, toolkit = job.toolkit
    target: Path = ("properties", TOOLKITS[name])
    source = (*at, name)
    builder.set(target, {}, None)
    builder.mark(target, source)
    for key, value in toolkit.given().items():
        if key in LINES:
            line = (*target, KEYS[key])
            is_command = key == "command"
            set_line(
                builder, line, value, references, (*source, key), owner=job, is_command=is_command
            )
        elif key in KEYS:
            is_text = isinstance(value, str)
            expanded = references.expand(value, (*source, key)) if is_text else value
            if key in _FILES:
                expanded = in_code(builder.scope, code, expanded, (*source, key))
            builder.set((*target, KEYS[key]), expanded, (*source, key))
    if isinstance(toolkit, Processes) and (found := explicit_count(toolkit, job.node_count)):
        count, key = found
        builder.set((*target, "processCount"), count, (*source, key))


def explicit_count(toolkit: Processes, node_count: int) -> tuple[int, str] | None:
    """Return (processCount, the key it came from); None for the service's default.

    The default, one process on each node, is not written out: the published files leave it out.
    """
    if toolkit.process_count is not None:
        return toolkit.process_count, "processCount"
    if toolkit.processes_per_node is not None:
        return toolkit.processes_per_node * node_count, "processesPerNode"
    return None
