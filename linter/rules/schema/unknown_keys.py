"""BAI201: every key is one that the file's format knows.

Batch AI's published schema accepts keys that it does not know: a misspelt time limit is no time
limit, and nothing says so. Here a key that nobody reads is an error, with the nearest key that is
read, or the place where this one belongs. What the service itself sets in its answers is only
warned of (BAI207).

Wrong (job):

    timelimit: 12h

Right (job):

    timeLimit: 12h
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI201", "an unknown key", stage=Stage.COMPILING)
