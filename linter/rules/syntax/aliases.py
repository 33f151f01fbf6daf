"""BAI106: every alias names an anchor that stands above it.

An alias (`*shares`) repeats the value that an anchor (`&shares`) names. Anchors count from where
they are written to the end of their document, and no value can contain itself. Text that begins
with a star needs quotes.

Wrong (spec):

    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 2
        mounts: &shares {tools: "azureFile:tools"}
      cpu: {vmSize: STANDARD_D2_V2, scale: 2, mounts: *share}

Right (spec):

    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 2
        mounts: &shares {tools: "azureFile:tools"}
      cpu: {vmSize: STANDARD_D2_V2, scale: 2, mounts: *shares}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI106", "an alias of nothing", stage=Stage.READING)
