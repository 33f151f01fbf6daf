"""Mistakes in the arguments of scripts, at their place in the file."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linting import lint

from bai.compiler.compilation import Defaults
from bai.linter.environment import LintEnvironment
from bai.linter.shell.argument_syntax import shell_syntax
from bai.linter.shell.argument_words import open_quote

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
    surroundings = LintEnvironment(lambda: Defaults("s", "g", "w", "l"))
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


@pytest.mark.parametrize(
    ("args", "part"),
    [
        ("--epochs 3 && echo done", "&& echo done"),
        ("--epochs 3 || true", "|| true"),
        ("--epochs 3; echo done", "; echo done"),
        ("--epochs 3 ; rm -r x", "; rm -r x"),
        ("--epochs 3 &", "&"),
        ("--epochs 3 > log.txt", "> log.txt"),
        ("> log.txt", "> log.txt"),
        ("--verbose >>${mounts.data}/log", ">>${mounts.data}/log"),
        ("--verbose 2>/dev/null", "2>/dev/null"),
        ("--verbose 2>&1 | tee x", "2>&1 | tee x"),
        ("--verbose | tee x", "| tee x"),
        ("--verbose |tee x", "|tee x"),
        ("< ${mounts.data}/list", "< ${mounts.data}/list"),
        ("--run a-$(date +%F)", "$(date +%F)"),
        ('--run "$(date)"', '$(date)"'),
        ("--run `date`", "`date`"),
        ("--run $(RUN_NAME)", "$(RUN_NAME)"),
        ("--sep '|' | tee x", "| tee x"),
    ],
)
def test_nothing_runs_shell_syntax(args, part):
    [(code, rest)] = found(
        SPEC + f"      pyTorch:\n        script: /t.py\n        args: |-\n          {args}\n"
    )
    assert (code, rest) == ("BAI749", part)


@pytest.mark.parametrize(
    "args",
    [
        *('--sep "|"', "--sep '&&' --x", '--expr "a > b"', "--expr 'a; echo b'", "--sep ';'"),
        *("--sep |", "--sep | --x", "--op > 0.5", "--op > --x", "--op &", "--lrs 1;2;3", "--a <b>"),
        *(
            "--url http://a/?b=1&c=2",
            "--name a|b",
            "--note '`date`'",
            "--note '$(date)'",
            "--a -> b",
        ),
        *(
            '--note "see `this`"',
            "--layers 2>3",
            "--expr 1 < 2",
            "--cost $$(date)",
            "--tag \\> log.txt",
        ),
    ],
)
def test_what_may_be_an_argument_is_left_alone(args):
    job = f"      pyTorch:\n        script: /t.py\n        args: |-\n          {args}\n"
    assert found(SPEC + job) == []


@given(st.text("ab'\"\\ $(`)|&;<>1./-", max_size=30))
def test_shell_syntax_is_a_part_of_the_arguments(text):
    if open_quote(text) is None and (found := shell_syntax(text)):
        assert 0 <= found.start < found.end <= len(text)


@given(st.text("ab '\"\\\n$", max_size=12))
def test_quotes_are_open_where_a_shell_finds_no_words(text):
    try:
        shlex.split(text)
    except ValueError:
        at, mark = open_quote(text)
        assert text[at] == mark
    else:
        assert open_quote(text) is None
