"""BAI110: the file can be read.

There is none of this name, it is a directory, or a pipe or device with nothing in it, or its
permissions forbid it.

Wrong (shell):

    bai lint experimnt.yaml

Right (shell):

    bai lint experiment.yaml
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI110", "a file that can't be read", stage=Stage.READING)
