"""BAI108: a file has at most 64 MiB.

A spec takes a few kilobytes. What is larger is most likely a data set or a model whose name was
given by mistake, and reading it would only take memory.

Wrong (shell):

    truncate --size 65M model.h5
    bai lint model.h5

Right (shell):

    bai lint experiment.yaml
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI108", "a file that is too large", stage=Stage.READING)
