"""BAI302: names, file modes and the like are written as their rule says.

Names become parts of addresses and paths, so that only some characters can stand in them: letters,
digits, - and _ in names of jobs and clusters, letters, digits and _ in those of environment
variables. The finding says what holds for this value.

Wrong (job):

    environment: {BATCH-SIZE: 64}

Right (job):

    environment: {BATCH_SIZE: 64}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI302", "a value with characters that it can't have", stage=Stage.COMPILING)
