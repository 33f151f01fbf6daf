"""BAI318: a short reference is written `${GROUP.NAME}`, exactly.

One dollar, one pair of braces and no blanks: in any other form it would reach the job as it is, and
the shell there stops at it, or a directory gets such a name.

Wrong (job):

    logs: "${ mounts.data }"

Right (job):

    logs: ${mounts.data}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI318", "a short reference in a wrong form", stage=Stage.COMPILING)
