"""BAI803: a job in a container runs where there are containers.

The local engine starts processes directly on this machine. What the image brings may be missing
here, so that nothing is run outside of it unless the user says so, with
`bai apply --without-containers`.

Wrong (job):

    container: ubuntu:22.04

Right (job):

    preparation: pip install numpy
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI803", "a container on an engine without containers", stage=Stage.PLANNING)
