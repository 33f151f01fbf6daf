"""Keys with a wrong indent: one finding each, which says what to indent."""

from itertools import takewhile
from textwrap import indent

import pytest
from linting import lint

from bai.linter.environment import LintEnvironment

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata:
  name: base
  workspace: lab
  resourceGroup: lab
  location: eastus
spec:
  storageAccount: visiondata
  clusters:
    gpu:
      vmSize: STANDARD_NC12
      scale:
        min: 0
        max: 4
  jobs:
    train:
      cluster: gpu
      nodeCount: 2
      mounts:
        src: azureFile:src
        data: azureFile:data
      environment:
        A: "1"
        B: "2"
      outputs:
        MODEL: ${mounts.data}/m
      logs: ${mounts.src}
      container:
        image: a/b:1
      horovod:
        script: ${mounts.src}/train.py
        args: --epochs 10
"""
REST = ". The rest is checked once this is fixed"


def block(key):
    """Return the line of a key, and those below it."""
    lines = SPEC.splitlines(keepends=True)
    first = next(index for index, line in enumerate(lines) if line.strip() == f"{key}:")
    depth = lines[first].index(key)
    below = takewhile(lambda line: line[: depth + 1].isspace(), lines[first + 1 :])
    return lines[first], "".join(below)


def not_below(key):
    """Return the spec with what is below a key in line with it."""
    head, below = block(key)
    return SPEC.replace(head + below, head + "".join(x[2:] for x in below.splitlines(True)))


def too_deep(key):
    head, below = block(key)
    return SPEC.replace(head + below, indent(head + below, "  "))


def reported(text):
    findings = lint(text.encode(), "s.bai.yaml", "/lab", LintEnvironment())
    return [(f.code, f.span.line, f.message, f.hint.removesuffix(REST)) for f in findings]


def test_the_spec_itself_is_right():
    assert reported(SPEC) == []


@pytest.mark.parametrize(
    ("key", "line", "names"),
    [
        ("metadata", 4, "name, workspace, resourceGroup, ..."),
        ("spec", 9, "storageAccount, clusters, jobs"),
        ("clusters", 11, "gpu"),
        ("scale", 14, "min, max"),
        ("jobs", 17, "train"),
        ("mounts", 21, "src, data"),
        ("environment", 24, "A, B"),
        ("outputs", 27, "MODEL"),
        ("container", 30, "image"),
        ("horovod", 32, "script, args"),
    ],
)
def test_keys_that_are_not_indented_below_theirs_are_one_finding(key, line, names):
    message = f"{key}: what belongs to it is not indented below it"
    assert reported(not_below(key)) == [
        ("BAI203", line, message, f"indent {names} deeper than {key}")
    ]


@pytest.mark.parametrize(
    ("key", "line", "beside"),
    [("jobs", 16, "clusters"), ("environment", 23, "mounts"), ("outputs", 26, "environment")],
)
def test_keys_that_are_too_deep_among_names_are_one_finding(key, line, beside):
    message = f"{key}: stands in {beside}, as it is indented too deep"
    hint = f"give it the same indent as {beside}"
    assert reported(too_deep(key)) == [("BAI203", line, message, hint)]


@pytest.mark.parametrize(
    ("key", "line", "beside"), [("spec", 8, "metadata"), ("horovod", 31, "container")]
)
def test_keys_that_are_too_deep_among_other_keys_are_one_finding(key, line, beside):
    hint = f"it belongs beside {beside}: give it the same indent"
    assert reported(too_deep(key)) == [("BAI201", line, f"unknown key {key!r}", hint)]


@pytest.mark.parametrize("key", ["nodeCount", "logs"])
def test_a_value_that_is_too_deep_is_not_missing_where_it_belongs(key):
    [line] = [line for line in SPEC.splitlines(keepends=True) if line.strip().startswith(f"{key}:")]
    text = SPEC.replace(line, "") + f"  {line}"
    hint = "it belongs beside horovod: give it the same indent"
    assert reported(text) == [("BAI201", 33, f"unknown key {key!r}", hint)]


def test_jobs_that_are_too_deep_may_have_wrong_indents_themselves():
    text = SPEC.replace("  jobs:\n    train:\n", "    jobs:\n      train:\n")
    assert [(code, line) for code, line, *_ in reported(text)] == [("BAI203", 16)]


@pytest.mark.parametrize(("name", "line", "key"), [("gpu", 12, "vmSize"), ("train", 18, "cluster")])
def test_keys_that_are_not_indented_below_a_name_are_one_finding(name, line, key):
    [(code, at, message, hint)] = reported(not_below(name))
    assert (code, at, hint) == (
        "BAI203",
        line,
        f"indent it, and the keys behind it, deeper than {name}",
    )
    assert f"found its key {key!r}" in message


def test_names_may_be_those_of_keys():
    """They are wrong for other reasons, and reported as that."""
    text = SPEC.replace("src: azureFile:src", "environment: {azurfile: {share: code}}")
    text = text.replace("mounts.src", "mounts.environment")
    assert [(code, line) for code, line, *_ in reported(text)] == [("BAI201", 21)]
    text = SPEC.replace("gpu", "jobs").replace("vmSize: STANDARD_NC12", "vmsize: STANDARD_NC12")
    assert [(code, line) for code, line, *_ in reported(text)] == [("BAI201", 12)]


def test_braces_say_what_belongs_where():
    head, below = block("container")
    text = SPEC.replace(
        head + below, "      container: {image: 'a/b:1', horovod: {script: a.py}}\n"
    )
    text = text.partition("      horovod:\n")[0]
    assert [code for code, *_ in reported(text)] == ["BAI201"]
