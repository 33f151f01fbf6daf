"""BAI103: a file holds only characters that YAML allows.

Control characters are invisible, mostly come in by copying from a terminal, and break commands and
paths. An escape that stands for half of a character, the first or the second of a pair of
surrogates alone, means nothing either.

Wrong (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6\u001b[0m, scale: 2}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI103", "a character that can't stand in a file", stage=Stage.READING)
