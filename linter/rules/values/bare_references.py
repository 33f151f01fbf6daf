"""BAI317: a short reference has its braces.

`${mounts.results}` stands for a path. Without the braces, `$mounts.results` is a variable called
`mounts`, which nobody sets, with `.results` behind it; `$(mounts.results)` is what a program of
that name prints.

Wrong (job):

    custom: {command: "ls $mounts.data"}

Right (job):

    custom: {command: "ls ${mounts.data}"}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI317", "a short reference without its braces", stage=Stage.COMPILING)
