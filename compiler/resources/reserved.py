"""Environment variables, a share and an output that only the compiler gives to jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

CODE_SHARE: Final = "code"
"""The share of the snapshots of code, and the path that it is mounted at."""
CODE_VARIABLE: Final = "BAI_CODE"
"""The variable that leads to the snapshot of a job."""
CODE_UNKNOWN: Final = "SNAPSHOT"
"""The name of a snapshot of which nothing is known, because nobody looks at the disk."""
TIMELINE_OUTPUT: Final = "TIMELINE"
"""The id of the output with Horovod's timeline."""
TIMELINE_SUFFIX: Final = "timeline"
"""Where that output is, below the job's own folder."""
TIMELINE_VARIABLE: Final = "HOROVOD_TIMELINE"
"""The variable that has Horovod write it."""
TIMELINE_FILE: Final = "timeline.json"
"""The file in it."""
SWEEP_VARIABLE: Final = "BAI_SWEEP"
"""A member's variable with the name of its sweep."""
MEMBER_VARIABLE: Final = "BAI_SWEEP_MEMBER"
"""A member's variable with its point of the space, as JSON."""
SWEEP_VARIABLES: Final = frozenset((SWEEP_VARIABLE, MEMBER_VARIABLE))


def variable_of(properties: Mapping[str, Any], name: str) -> str | None:
    """Return the value of a variable of a job, from its wire properties; None if it has none."""
    for variable in properties.get("environmentVariables") or ():
        if variable["name"] == name:
            return str(variable["value"])
    return None
