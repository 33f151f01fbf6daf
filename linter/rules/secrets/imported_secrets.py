"""BAI603: a file to import holds no secrets in plain text.

Batch AI's own files hold keys and passwords as they are; `bai lint` tells of them with BAI609.
`bai import` does not take them over: the spec gets a reference to an environment variable instead,
and the finding says which one to set.

Wrong (job.json):

    {"secrets": [{"name": "TOKEN", "value": "hunter2"}]}

Right (job.json):

    {"secrets": [{"name": "TOKEN", "value": "<secret env:TOKEN>"}]}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage
from bai.specs.findings import Severity

RULE = Rule(
    "BAI603",
    "a secret in plain text in an imported file",
    severity=Severity.WARNING,
    stage=Stage.IMPORTING,
)
