"""BAI509: the directory of a `file:` mount exists.

Shares and containers are made when they are first used. A directory of the user's own is not: an
empty one in its place would only hide that its path is wrong. The path starts from the spec's
folder.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:cod"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI509", "a directory that is not there", stage=Stage.PLANNING)
