"""BAI707: the interpreter of a Horovod job has Horovod.

The local engine runs jobs with the interpreter that runs bai, unless the job or the context names
another one. A job with a preparation is not checked, as that may install it.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    horovod: {script: "${mounts.code}/train.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    preparation: pip install --no-build-isolation horovod
    horovod: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI707", "a Horovod job where Horovod is not installed", stage=Stage.PLANNING)
