"""BAI305: keys that belong together are together, and others are not.

A scale is fixed (`target`) or follows the jobs (`min` and `max`); an Azure file share has a name or
a URL; processes are counted in all or for each node; a user has an ssh key, a password, or both.
Where two keys say different things, nobody could tell which of them holds.

Wrong (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: {target: 2, max: 4}}

Right (spec):

    clusters:
      gpu: {vmSize: STANDARD_NC6, scale: {min: 2, max: 4}}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI305", "keys that exclude or need each other", stage=Stage.COMPILING)
