"""BAI306: a time limit is a length of time, of seven days at most.

Write `90m`, `12h`, `2d` or `1h30m`, or ISO 8601 (`PT12H`), which is what the service takes. A bare
number could mean seconds, minutes or hours.

Wrong (job):

    timeLimit: 12 hours

Right (job):

    timeLimit: 12h
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI306", "a time limit that can't be read", stage=Stage.COMPILING)
