"""BAI704: the toolkit's settings make a command line.

Arguments are split into words as a shell does it. A quote that does not close leaves it open where
the last word ends.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py", args: "--name 'first try"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py", args: "--name 'first try'"}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI704", "a command line that can't be made", stage=Stage.PLANNING)
