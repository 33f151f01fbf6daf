"""BAI604: the secrets of a job can be looked up where bai runs.

The variable is set and the file can be read, before anything is started: a job that finds an empty
token runs until it first needs it.

Wrong (job):

    secrets: {TOKEN: "env:API_TOKN"}

Right (job):

    secrets: {TOKEN: "env:API_TOKEN"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI604", "a secret that can't be looked up", stage=Stage.PLANNING)
