"""BAI205: a spec says `apiVersion: bai/v1` and `kind: Experiment`.

The two lines tell people, editors and later versions of bai what the rest means. A file for Batch
AI itself (`job.json`, `cluster.json`) has neither; `bai import` turns it into a spec.

Wrong (file):

    apiVersion: bai/v1
    kind: Job
    metadata: {name: digits}
    spec:
      clusters:
        gpu: {vmSize: STANDARD_NC6, scale: 2}

Right (file):

    apiVersion: bai/v1
    kind: Experiment
    metadata: {name: digits}
    spec:
      clusters:
        gpu: {vmSize: STANDARD_NC6, scale: 2}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI205", "a document that is no experiment", stage=Stage.COMPILING)
