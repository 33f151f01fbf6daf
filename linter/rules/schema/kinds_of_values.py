"""BAI203: a value is of the kind that its key takes.

An integer, a string, a list or a mapping. In a spec a string needs no quotes where YAML would see a
number or a boolean (`FLAG: no` stays the text no); an integer must be written without quotes.

Wrong (job):

    nodeCount: one

Right (job):

    nodeCount: 1
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI203", "a value of the wrong kind", stage=Stage.COMPILING)
