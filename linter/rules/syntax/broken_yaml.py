"""BAI101: a file is YAML or JSON.

A bracket or a quote that does not close, a tab in the indent or a colon without a space behind it:
after one of these nobody can tell what was meant by the rest, so the rest of the file is not
checked. Fix this one first and lint again. An empty file counts as well.

Wrong (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI101", "text that is neither YAML nor JSON", stage=Stage.READING)
