"""BAI109: a key stands in a mapping once.

Most readers of YAML and JSON take the last of two equal keys and drop the first without a word, so
that the file says one thing to people and another to programs.

Wrong (job):

    environment:
      EPOCHS: 10
      EPOCHS: 20

Right (job):

    environment:
      EPOCHS: 20
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI109", "a key that stands twice", stage=Stage.READING)
