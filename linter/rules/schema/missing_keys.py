"""BAI202: what can't be left out is there.

Some values have no default: the size of a cluster's machines, the number of a job's nodes, the
place of its logs. `bai explain cluster` lists the keys of a cluster with what is required.

Wrong (spec):

    clusters:
      gpu: {scale: 2}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI202", "a missing key", stage=Stage.COMPILING)
