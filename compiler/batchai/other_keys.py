"""Keys that Batch AI's files may have and api-version 2018-05-01 does not take.

Source: the models of the service's Python SDK: 0.2.0 (2017-09-01-preview), 1.0.1 (2018-03-01) and
7.0.0 (2018-05-01).
"""

from __future__ import annotations

from typing import Final

RENAMED: Final = {"priority": "schedulingPriority"}
"""Keys of older api-versions -> their name in 2018-05-01."""

ALIASES: Final = {
    "args": "commandLineArgs",
    "arguments": "commandLineArgs",
    "custom": "customToolkitSettings",
    "env": "environmentVariables",
    "inputs": "inputDirectories",
    "logs": "stdOutErrPathPrefix",
    "max": "maximumNodeCount",
    "min": "minimumNodeCount",
    "mounts": "mountVolumes",
    "mpi": "customMpiSettings",
    "mpiSettings": "customMpiSettings",
    "nodes": "nodeCount",
    "outputs": "outputDirectories",
    "processes": "processCount",
    "python": "pythonInterpreterPath",
    "replicas": "nodeCount",
    "script": "pythonScriptFilePath",
    "timeLimit": "maxWallClockTime",
    "timeout": "maxWallClockTime",
    "volumes": "mountVolumes",
    "workers": "workerCount",
}
"""Keys of specs and of neighbouring tools -> their name here, wherever that is valid."""

OTHER_VALUES: Final = frozenset(("env", "inputs", "mounts", "outputs", "timeout", "volumes"))
"""Those of them whose values have another form here."""

ALIASES_IN: Final = {
    "inputDirectories": {"name": "id"},
    "outputDirectories": {"name": "id", "path": "pathPrefix"},
    "environmentVariables": {"id": "name", "key": "name"},
    "secrets": {"id": "name", "key": "name"},
}
"""Key of a mapping, or of a list of them -> keys that are easily mixed up there."""

COMMANDS: Final = frozenset(("cmd", "command", "commandLine"))
"""Keys of command lines, which people write where a toolkit takes a script."""

FORMER: Final = {
    "priority": "a number before 2018-05-01, now schedulingPriority: low, normal or high",
    "experimentName": "since 2018-05-01 a job belongs to the experiment that it is created in",
    "location": "since 2018-05-01 the workspace has a location, leave it out here",
    "tags": "since 2018-05-01 only workspaces have tags, leave them out here",
    "type": "since 2018-05-01 output directories have no type, leave it out",
    "runElevated": "since 2018-05-01 a setup task always runs as root, leave it out",
    "createNew": "since 2018-05-01 the service makes every output directory, leave it out",
    "maxRetryCount": "the service tries no job again, leave it out",
    "maxTaskRetryCount": "the service tries no job again, leave it out",
}
"""Keys of older api-versions -> what has become of them; `type` is that of output directories."""

WITHOUT_EFFECT: Final = frozenset(("experimentName", "location", "tags"))
"""Those of them that say nothing of what runs."""

ANSWERED: Final = frozenset(
    "allocationState allocationStateTransitionTime creationTime currentNodeCount errors "  # noqa: SIM905
    "executionInfo executionState executionStateTransitionTime id jobOutputDirectoryPathSegment "
    "mountSettings name nodeStateCounts provisioningState provisioningStateTransitionTime "
    "stdOutErrPathSuffix toolType type".split()
)
"""Keys of the service's answers that no request has."""
