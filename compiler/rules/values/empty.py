"""BAI304: a value that is written says something.

An empty string under a key is most often a value that was forgotten, or a variable of a template
that was not set. Leave the key out to get its default.

Wrong (job):

    preparation: ""

Right (job):

    preparation: pip install horovod
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI304", "a value that is empty", stage=Stage.COMPILING)
