"""BAI207: a file for Batch AI holds only what is sent to it.

Files that began as an answer of the service often still hold what the service itself sets: states,
times, ids. It ignores them in a request, and a reader takes them for settings. `bai import` leaves
them out, and says so; it also says this of other keys that it can't keep, and of keys that an
older version of the API called differently.

Wrong (job.json):

    {"nodeCount": 1, "executionState": "succeeded"}

Right (job.json):

    {"nodeCount": 1}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule("BAI207", "a key that no request has", severity=Severity.WARNING, stage=Stage.COMPILING)
