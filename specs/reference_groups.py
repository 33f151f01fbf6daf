"""What short references can name, `${GROUP.NAME}`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

JOB_MOUNTS: Final = "job.mounts"
CLUSTER_MOUNTS: Final = "cluster.mounts"
PARAMETERS: Final = "parameters"

TO_VARIABLES: Final = ("mounts", JOB_MOUNTS, CLUSTER_MOUNTS, "inputs", "outputs")
"""The groups whose references stand for Batch AI's variables."""
GROUPS: Final = (*TO_VARIABLES, PARAMETERS)


def one_of(groups: Iterable[str]) -> str:
    """Return a regular expression, in one piece, for the name of one of the groups."""
    return f"(?:{'|'.join(map(re.escape, groups))})"
