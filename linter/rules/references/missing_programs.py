"""BAI405: the script or config file that a job runs is in its place.

Before a job starts on this machine, the plan looks whether the file is there: on a share, a path
such as `${mounts.data}/train.py` is a file of a folder here. A relative path is never there, as
processes start in an empty directory of their own (BAI710). Jobs with a preparation are not
checked, as it may bring the file. What is missing from a folder that is mounted with `file:` has a
code of its own (BAI721), as `bai lint` knows it too.

Wrong (job):

    mounts: {data: "azureFile:data"}
    pyTorch: {script: "${mounts.data}/train.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI405", "a script that is not there", stage=Stage.PLANNING)
