"""Golden cases: findings/CASE.yaml in, findings/CASE.txt out, as `bai apply` prints it.

`BAI_UPDATE_GOLDEN=1 pytest tests/cli/test_findings.py` writes the files anew: read the difference
before you keep it.
"""

import io
import json
import os
from pathlib import Path

import pytest

from bai.cli.render.findings import print_findings
from bai.loading import load
from bai.specs.findings import Finding, Severity

FOLDER = Path(__file__).parent / "findings"
CASES = sorted(path.name for path in FOLDER.glob("*.yaml"))
UPDATE = os.environ.get("BAI_UPDATE_GOLDEN") == "1"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("case", CASES)
def test_golden(case, monkeypatch):
    monkeypatch.chdir(FOLDER)
    printed = io.StringIO()
    print_findings(load(case).findings, printed)
    golden = (FOLDER / case).with_suffix(".txt")
    if UPDATE:
        golden.write_text(printed.getvalue(), "utf-8")
    assert printed.getvalue() == golden.read_text("utf-8")


@pytest.mark.parametrize("case", CASES)
def test_no_secret_is_shown(case, monkeypatch):
    monkeypatch.chdir(FOLDER)
    printed = io.StringIO()
    text = (FOLDER / case).read_text("utf-8")
    for texts in (None, {str(case): text}):
        print_findings(load(case).findings, printed, texts)
    assert "hunter2" not in printed.getvalue()


@pytest.mark.parametrize("finding", ["nodeCount", "bogus"])
def test_an_import_shows_no_secret_that_stands_on_the_same_line(bai, finding):
    job = {
        "properties": {
            "nodeCount": "many" if finding == "nodeCount" else 1,
            "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_TEMP",
            "bogus": 1,
            "secrets": [{"name": "A", "value": "hunter2"}],
            "mountVolumes": {
                "azureBlobFileSystems": [
                    {
                        "accountName": "acct",
                        "containerName": "c",
                        "credentials": {"accountKey": "hunter2"},
                        "relativeMountPath": "m",
                    }
                ]
            },
            "customToolkitSettings": {"commandLine": "true"},
        }
    }
    (bai.folder / "job.json").write_text(json.dumps(job))
    done = bai.run("import", "job.json", code=2 if finding == "nodeCount" else 0)
    assert finding in done.stderr
    assert "*******" in done.stderr
    assert "hunter2" not in done.stderr + done.stdout


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("width", [40, 80, 200])
def test_excerpts_fit_the_terminal(case, width, monkeypatch):
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    printed = Terminal()
    print_findings(load(case).findings, printed)
    lines = printed.getvalue().split("\n")
    excerpts = [line for line in lines if "| " in line]
    assert excerpts
    for line in excerpts:
        assert len(line) <= width


def test_colours_are_for_terminals_unless_the_environment_says_otherwise(monkeypatch):
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("TERM", "xterm")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    found = load("unknown-key.yaml").findings

    def coloured(file):
        print_findings(found, file)
        return "\x1b[" in file.getvalue()

    assert coloured(Terminal())
    assert not coloured(io.StringIO())
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert coloured(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not coloured(Terminal())


@pytest.mark.parametrize("width", [40, 80])
def test_a_terminal_breaks_messages_between_words(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    words = [f"{'word' * (length % 7)}{length}" for length in range(60)]
    finding = Finding("BAI201", Severity.ERROR, " ".join(words), None, " ".join(words))
    terminal, pipe = Terminal(), io.StringIO()
    for out in (terminal, pipe):
        print_findings([finding], out)
    shown = pipe.getvalue()
    assert len(shown.splitlines()) == len(("message", "help", "summary"))
    assert terminal.getvalue().split() == shown.split()
    assert max(map(len, terminal.getvalue().splitlines())) <= width
