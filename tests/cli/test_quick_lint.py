"""`bai lint` with nothing but paths does not wait for Typer, and does the same."""

import pytest

JOB = """{"properties": {"nodeCount": 1, "cluster": {"id": "x"}, "stdOutErrPathPrefix": "/logs",
 "customToolkitSettings": {"commandLine": "ls"}}}"""
SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: one}
spec:
  clusters: {c: {vmSize: STANDARD_NC6, scale: 1}}
  jobs: {train: {cluster: c, nodeCount: 1, logs: /tmp/x, custom: {command: ls}}}
"""
FILES = {
    "job.json": JOB,
    "broken.json": "{",
    "spec.yaml": SPEC,
    "foreign.yaml": "a: 1\n",
    "empty/note.txt": "",
    "bad/bai.toml": "[lint]\nselect = 1\n",
    "bad/job.json": JOB,
}


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["job.json"],
        ["job.json", "spec.yaml", "broken.json"],
        ["missing.json"],
        ["foreign.yaml"],
        ["--known-only", "foreign.yaml"],
        ["foreign.yaml", "--known-only"],
        ["empty"],
        ["bad/job.json"],
        ["--known-onl", "job.json"],
        ["--", "job.json"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_it_does_what_typer_does(bai, words):
    for name, text in FILES.items():
        path = bai.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    quick = bai.run("lint", *words, code=None)
    # An option, with its default, is Typer's to read.
    slow = bai.run("lint", "--output", "text", *words, code=None)
    assert (quick.returncode, quick.stdout, quick.stderr) == (
        slow.returncode,
        slow.stdout,
        slow.stderr,
    )
