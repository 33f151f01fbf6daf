"""Mistakes in the arguments of scripts, at their place in the file."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.compiler.analysis.shell.argument_words import open_quote
from bai.compiler.compilation import Defaults
from bai.compiler.lint.linter import Surroundings, lint

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: x}
spec:
  clusters: {gpu: {vmSize: STANDARD_NC6, scale: 1}}
  jobs:
    train:
      nodeCount: 1
      mounts: {data: "azureFile:data"}
      logs: ${mounts.data}
"""


def found(text, name="experiment.yaml"):
    surroundings = Surroundings(lambda: Defaults("s", "g", "w", "l"))
    return [
        (finding.code, text.splitlines()[finding.span.line - 1][finding.span.column - 1 :])
        for finding in lint(text.encode(), name, "/project", surroundings)
    ]


@pytest.mark.parametrize(
    ("toolkit", "part"),
    [
        ("pyTorch: {script: /t.py, args: --name 'first try}", "'first try}"),
        ('pyTorch: {script: /t.py, args: "--a \'b\' --name \\"x y"}', '\\"x y"}'),
        ('horovod: {script: /t.py, args: "${mounts.data}/it\'s"}', "'s\"}"),
        ("caffe: {config: /t, args: a\\}", "\\}"),
        (
            "tensorFlow: {script: /t.py, masterArgs: a, workerArgs: '\"', workerCount: 1}",
            "\"', workerCount: 1}",
        ),
    ],
)
def test_a_quote_that_does_not_close(toolkit, part):
    told = found(SPEC + f"      {toolkit}\n")
    assert [one for one in told if one[0] == "BAI704"] == [("BAI704", part)]


@given(st.text("ab '\"\\\n$", max_size=12))
def test_quotes_are_open_where_a_shell_finds_no_words(text):
    try:
        shlex.split(text)
    except ValueError:
        at, mark = open_quote(text)
        assert text[at] == mark
    else:
        assert open_quote(text) is None
