"""BAI301: a value with a fixed set of choices is one of them.

The finding lists them. `bai explain` shows them for every key: `bai explain job.priority`.

Wrong (job):

    priority: urgent

Right (job):

    priority: high
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI301", "a value that is none of the valid ones", stage=Stage.COMPILING)
