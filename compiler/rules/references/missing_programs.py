"""BAI405: the script or config file that a job runs is in its place.

Before a job starts on this machine, the plan looks whether the file is there: on a mount, a path
such as `${mounts.code}/train.py` is a file of a folder here. A relative path is never there, as
processes start in an empty directory of their own (BAI710). Jobs with a preparation are not
checked, as it may bring the file. `bai lint` looks into mounted folders as well (BAI721).

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/trian.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI405", "a script that is not there", stage=Stage.PLANNING)
