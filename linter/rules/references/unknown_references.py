"""BAI401: `${mounts.X}`, `${inputs.X}` and `${outputs.X}` name what the spec declares.

They become Batch AI's variables. One that names nothing would reach the shell of the job, which
makes an empty string or an error of it, after the nodes were paid for.

Wrong (job):

    logs: ${mounts.date}

Right (job):

    logs: ${mounts.data}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI401", "a reference to nothing", stage=Stage.COMPILING)
