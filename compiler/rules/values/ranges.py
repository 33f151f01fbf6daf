"""BAI303: a number is neither too small nor too large.

A job has at least one node, counts have an upper end, and of two bounds the lower one is not above
the other. The service would refuse it after the file was sent.

Wrong (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: {min: 4, max: 2}}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: {min: 2, max: 4}}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI303", "a number outside its range", stage=Stage.COMPILING)
