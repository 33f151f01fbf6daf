"""BAI410: specs that share a resource agree on what it is.

Two documents of a file, or two files that are applied together, may both declare a cluster. If they
differ, which of them counts would depend on their order. Names that differ only in case, `train`
and `Train`, are the same to the service, within one spec as well.

Wrong (file):

    apiVersion: bai/v1
    kind: Experiment
    metadata: {name: first}
    spec: {clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}}
    ---
    apiVersion: bai/v1
    kind: Experiment
    metadata: {name: second}
    spec: {clusters: {gpu: {vmSize: STANDARD_NC6, scale: 4}}}

Right (file):

    apiVersion: bai/v1
    kind: Experiment
    metadata: {name: first}
    spec: {clusters: {gpu: {vmSize: STANDARD_NC6, scale: 4}}}
    ---
    apiVersion: bai/v1
    kind: Experiment
    metadata: {name: second}
    spec: {clusters: {gpu: {vmSize: STANDARD_NC6, scale: 4}}}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI410", "a resource that is declared twice in different forms", stage=Stage.COMPILING)
