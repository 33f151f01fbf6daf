"""BAI601: a spec says where a secret lives, never what it is.

Specs are kept in repositories and sent around, so that a key in one is a key that is lost. Write
`env:NAME` for a variable of the machine that runs bai, `file:PATH` for a file there, or `keyVault`
for a secret that the service itself fetches. If a real key was in the file, replace the key.

Wrong (job):

    secrets: {TOKEN: hunter2}

Right (job):

    secrets: {TOKEN: "env:TOKEN"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI601", "a secret in the spec itself", stage=Stage.COMPILING)
