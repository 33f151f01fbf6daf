"""BAI701: a job has exactly one toolkit.

The toolkit is what runs: horovod, pyTorch, tensorFlow, customMpi, custom, caffe, caffe2, chainer or
cntk. Of two, the service would have to choose one.

Wrong (job):

    horovod: {script: "${mounts.data}/train.py"}
    custom: {command: python train.py}

Right (job):

    horovod: {script: "${mounts.data}/train.py"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI701", "a job without a toolkit, or with two", stage=Stage.COMPILING)
