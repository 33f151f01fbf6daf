"""Golden cases: files/NAME.json (or .yaml) in, its findings in files/NAME.json.txt out.

`files/NAME.cluster.json`, where there is one, is the cluster's file that NAME.json is checked with.
`BAI_UPDATE_GOLDEN=1 pytest tests/lint/test_files.py` writes the findings anew: read the difference
before you keep it.
"""

import os
from pathlib import Path

import pytest
from linting import lint

from bai.compiler.resources.ids import Kind
from bai.linter.driver.clean import view_of
from bai.linter.environment import LintEnvironment
from bai.specs.syntax.reader import read

FILES = Path(__file__).parent / "files"
CASES = sorted(
    path.name
    for path in FILES.iterdir()
    if path.suffix in (".json", ".yaml") and not path.name.endswith(".cluster.json")
)
UPDATE = os.environ.get("BAI_UPDATE_GOLDEN") == "1"


def excerpt(text, span):
    if span.line != span.end_line:
        return "..."
    return text.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1]


def described(path):
    """What the linter says of a file, as lines."""
    clusters = []
    beside = path.with_name(f"{path.stem}.cluster.json")
    if beside.exists():
        [document], _ = read(beside.read_bytes(), beside.name)
        clusters = [view_of(Kind.CLUSTER, document)]
    findings = lint(path.read_bytes(), path.name, "/project", LintEnvironment(clusters=clusters))
    for finding in findings:
        span = finding.span
        place = f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"
        yield f"{place} {finding.severity} {finding.code} {finding.message}"
        yield f"    at: {excerpt(path.read_text(), span)}"
        if finding.hint:
            yield f"    hint: {finding.hint}"


@pytest.mark.parametrize("name", CASES)
def test_findings_of_a_file(name):
    found = "".join(f"{line}\n" for line in described(FILES / name))
    kept = FILES / f"{name}.txt"
    if UPDATE:
        kept.write_text(found)
    assert found == kept.read_text()
