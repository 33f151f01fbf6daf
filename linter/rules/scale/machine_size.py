"""BAI802: a cluster or a job fits on the machine that runs it.

On the local engine every node and every process takes a slot; a machine has as many as the context
says. A real cluster of this size may be meant: `bai apply --max-nodes 2 --max-processes 2` runs the
same spec smaller, without a change of the file.

Wrong (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 16}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: 2}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI802", "more nodes or processes than this machine has slots", stage=Stage.PLANNING)
