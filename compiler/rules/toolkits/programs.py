"""BAI702: a Caffe or CNTK job runs a config file or a Python script, not both.

The two are started differently: a config file is read by the toolkit's own program, a script by
Python. The interpreter and the language go with the one that is given.

Wrong (job):

    cntk: {config: net.cntk, script: train.py}

Right (job):

    cntk: {script: train.py}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI702", "unclear which program Caffe or CNTK runs", stage=Stage.COMPILING)
