"""BAI406: a resource that lives changes only in what can change.

Of a cluster that is its scale, of a workspace its tags; file servers never change. Another size of
machine means another cluster: delete the old one first, or give the new one another name.

Wrong (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC24, scale: 1}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI406", "a change that can't be made in place", stage=Stage.PLANNING)
