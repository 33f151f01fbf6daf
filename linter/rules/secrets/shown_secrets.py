"""BAI605: arguments hold no secrets.

Every user of a machine can read the command lines of its processes. The job has the secret in its
environment: let the script read it there. The shell of `custom` expands variables
in its own process, so that it may be named there: in what `echo` writes into a pipe, but not in the
arguments of another program.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    secrets: {TOKEN: "env:API_TOKEN"}
    pyTorch: {script: "${mounts.code}/train.py", args: --token $TOKEN}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    secrets: {TOKEN: "env:API_TOKEN"}
    pyTorch: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI605", "a secret on a command line", stage=Stage.PLANNING)
