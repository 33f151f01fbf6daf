"""BAI105: a value has no tag, or one of YAML's own for strings, lists and mappings.

Tags such as `!Ref` or `!!python/object` belong to other programs. Here they would be dropped
without a word, or make a value into something else than it looks like.

Wrong (spec):

    clusters:
      gpu: {vmSize: !Ref Size, scale: 2}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI105", "a tag without a meaning", stage=Stage.READING)
