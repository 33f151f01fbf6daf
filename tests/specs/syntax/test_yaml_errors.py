"""Slips of the hand: what is said of them, and where."""

import pytest
from loading import load_text

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata:
  name: digits
spec:
  clusters:
    c:
      vmSize: STANDARD_NC6
      scale: 2
  fileServers:
    f:
      allowIps:
        - 203.0.113.1
        - 203.0.113.2
  jobs:
    train:
      nodeCount: 2
      logs: /logs
      horovod:
        script: train.py
        args: --epochs 10
"""
ARGS = "args: --epochs 10"
COUNT = "nodeCount: 2"
SCALE = "scale: 2"
ITEM = "        - 203.0.113.2"

SLIPS = [
    # (what, written instead, message, place)
    (COUNT, "nodeCount:2", "the colon of 'nodeCount' has no space behind it", "17:16"),
    (COUNT, "nodeCount = 2", "`=` behind the key 'nodeCount'", "17:17"),
    (COUNT, "nodeCount", "a line without a colon among keys", "17:7"),
    (COUNT, "nodeCount:\u00a02", "U+00A0 looks like a space, and is none to YAML", "17:17"),
    (COUNT, "nodeCount\uff1a 2", "U+FF1A is no colon to YAML", "17:16"),
    (COUNT, '"nodeCount: 2', "the quote is not closed", "17:7"),
    (COUNT, "nodeCount: 2\n      - a", "a list's item among keys, which begin", "18:7"),
    (COUNT, "- a\n      nodeCount: 2", "a key among the items of a list, which begin", "18:7"),
    (COUNT, "nodeCount: 2\n<<<<<<< HEAD", "a mark of a merge conflict", "18:1"),
    (COUNT, "nodeCount: 2\n%d", "a line can't begin with `%`", "18:1"),
    (COUNT, "nodeCount: 2\n      {% if gpu %}", "a template's `{%` is no YAML", "18:7"),
    ("      nodeCount", "\tnodeCount", "a tab can't indent YAML", "17:1"),
    ("      nodeCount", "    \u00a0\u00a0nodeCount", "U+00A0 looks like a space", "17:5"),
    ("      logs", "     logs", "the indent fits no line above (the block", "18:6"),
    ("      logs", "       logs", "indented deeper than line 17, whose key has a value", "18:8"),
    (ITEM, ITEM[1:], "the indent fits no line above (the block starts on line 12)", "14:8"),
    (ITEM, "        -\ta", "a tab behind a dash", "14:10"),
    (SCALE, "scale: {min: 1, max: 2", "the `{` is not closed", "9:14"),
    (SCALE, "scale: {min: 1 max: 2}", "a second `: ` in one value, or a comma is missing", "9:25"),
    (SCALE, "scale: {min: a {n}, max: 2}", "a `{` in an unquoted text, or a comma is miss", "9:22"),
    (SCALE, "scale: {min: 1,\n          max: 2 {}}", "the `{` of line 9 is not closed", "10:18"),
    (SCALE, "scale: - 2", "a value can't begin with `- `", "9:14"),
    (SCALE, "scale: {min: 1, max: 2]", "the `{` of line 9 is closed by `]`", "9:29"),
    (SCALE, "scale: {min: 1, max: 2}}", "a `}` too many", "9:30"),
    (SCALE, "scale: {min: 1,, max: 2}", "a comma with nothing in front of it", "9:22"),
    (SCALE, "scale: {min: 1, // least\n max: 2}", "`//` begins no comment in YAML", "9:23"),
    (SCALE, "scale: 2\n      }", "a `}` too many", "10:7"),
    (SCALE, "scale: {min: ${n}, max: 2}", "`${` without quotes in braces", "9:20"),
    (SCALE, "scale: {min: a ${n}/b, max: 2}", "`${` without quotes in braces", "9:22"),
    (SCALE, "scale: [a, ${n}]", "`${` without quotes in brackets", "9:18"),
    ("script: train.py", "script: [train.py", "the `[` is not closed", "20:17"),
    ("script: train.py", "script: 'train.py", "the quote is not closed", "20:17"),
    ("script: train.py", "script: 'a.py\n        python: 'py'", "the quote is not closed", "20:17"),
    ("script: train.py", r'script: "C:\data"', "a backslash in double quotes", "20:20"),
    (ARGS, "args: 'it's'", "a quote in quotes", "21:18"),
    (ARGS, "args: '--epochs' 10", "text behind a value that is complete", "21:26"),
    (ARGS, "args: *.py", "`*` begins an alias, and its name is missing", "21:15"),
    (ARGS, "args: @file", "a value can't begin with `@`", "21:15"),
    (ARGS, "args: %d", "a value can't begin with `%`", "21:15"),
    (ARGS, "args: `date`", "a value can't begin with a backtick", "21:15"),
    (ARGS, "args: ,x", "a value can't begin with `,`", "21:15"),
    (ARGS, "args: ]x", "a value can't begin with `]`", "21:15"),
    (ARGS, "args: ? x", "a value can't begin with `? `", "21:15"),
    (ARGS, "args: >out.txt", "text behind `|` or `>`", "21:16"),
    (ARGS, "args: |\n        --epochs", "text that is not indented", "22:9"),
    (ARGS, "args: L: env:, M:", "a second `: ` in one line", "21:16"),
    (ARGS, "args: {L: env:, M: b}", "text with a `:` at its end, in braces or brackets", "21:22"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "message", "place"), SLIPS)
def test_a_slip_is_reported_in_plain_words(right, wrong, message, place):
    assert right in SPEC
    found = load_text(SPEC.replace(right, wrong, 1), "s", "/").findings
    [reported] = [finding for finding in found if finding.code == "BAI101"]
    assert reported.message.startswith(message)
    assert f"{reported.span.line}:{reported.span.column}" == place
    assert reported.hint


def test_a_fence_of_markdown_is_reported():
    reported = load_text(f"```yaml\n{SPEC}```\n", "s", "/").findings
    assert [(f.message, f.hint) for f in reported] == [("a fence of Markdown", "remove the line")]


def test_a_missing_space_shows_no_secret():
    job = "    j: {nodeCount: 1, logs: /x, custom: {command: ls}, secrets: {L:hunter2}}\n"
    found = load_text(f"spec:\n  jobs:\n{job}", "s", "/").findings
    [reported] = [f for f in found if f.code == "BAI302"]
    assert (reported.message, reported.hint) == (
        "'L:...' is no name of a variable",
        "write a space behind the colon",
    )
