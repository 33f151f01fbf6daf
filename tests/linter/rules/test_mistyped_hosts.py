"""Mistyped hosts of shares get a fix, in Batch AI's files and in both forms of a spec."""

import json

import pytest
from linting import lint
from loading import ONE_JOB

from bai.linter.environment import LintEnvironment
from bai.linter.fixes import apply_fixes

ADDRESS = "https://acc.file.core.window.net/share"
SPEC = (
    ONE_JOB
    + """\
      nodeCount: 1
      mounts:
        data: %s
      logs: ${mounts.data}
      custom: {command: "true"}
"""
)
SHARE = {"azureFileUrl": ADDRESS, "accountName": "acc", "relativeMountPath": "data"}
JOB = {"properties": {"nodeCount": 1, "mountVolumes": {"azureFileShares": [SHARE]}}}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(JOB),
        SPEC % ADDRESS,
        SPEC % f"{{azureFile: {{account: acc, url: '{ADDRESS}'}}}}",
    ],
)
def test_a_mistyped_host_gets_a_fix(text):
    found = lint(text.encode(), "x", "/", LintEnvironment())
    (finding,) = [each for each in found if each.code == "BAI505"]
    assert finding.message == "file.core.window.net is no host of file shares"
    assert finding.hint == "did you mean file.core.windows.net?"
    row = text.splitlines()[finding.span.line - 1]
    assert row[finding.span.column - 1 : finding.span.end_column - 1] == "file.core.window.net"
    fixed, count = apply_fixes(text, [finding.fix])
    assert (fixed, count) == (text.replace("window.net", "windows.net"), 1)
