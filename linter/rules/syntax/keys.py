"""BAI104: every key of a mapping is a string.

YAML takes a list or a mapping for a key, which no spec and no file of Batch AI has a use for. The
usual cause is a template such as `{{name}}`, which nobody filled in: YAML reads its braces as
mappings. `null` and `~` are no strings either, unless they stand in quotes; all other words are,
`true`, `no` and `3` as well. Also, what is merged with `<<` must be a mapping or a list of
mappings.

Wrong (spec):

    clusters:
      [gpu, cpu]: {vmSize: STANDARD_NC6, scale: 2}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}
      cpu: {vmSize: STANDARD_D2_V2, scale: 2}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI104", "a key that is not a string", stage=Stage.READING)
