"""Golden cases of several codes: files/NAME.json (or .yaml), its findings in files/NAME.json.txt.

`files/NAME.cluster.json`, where there is one, is the cluster's file that NAME.json is checked with.
`BAI_UPDATE_GOLDEN=1 pytest tests/linter/test_files.py` writes the findings anew: read the
difference before you keep it. Cases of one code are in tests/linter/rules/CODE/.
"""

import os
from pathlib import Path

import pytest
from linting import findings_text

from bai.compiler.resources.ids import Kind
from bai.linter.driver.examine import view_of
from bai.linter.environment import LintEnvironment
from bai.specs.syntax.reader import read

FILES = Path(__file__).parent / "files"
CASES = sorted(
    path.name
    for path in FILES.iterdir()
    if path.suffix in (".json", ".yaml") and not path.name.endswith(".cluster.json")
)
UPDATE = os.environ.get("BAI_UPDATE_GOLDEN") == "1"


def findings(path):
    """What the linter says of a file."""
    clusters = []
    beside = path.with_name(f"{path.stem}.cluster.json")
    if beside.exists():
        [document], _ = read(beside.read_bytes(), beside.name)
        clusters = [view_of(Kind.CLUSTER, document)]
    environment = LintEnvironment(clusters=clusters)
    return findings_text(path.read_bytes(), path.name, "/project", environment)


@pytest.mark.parametrize("name", CASES)
def test_findings_of_a_file(name):
    found = findings(FILES / name)
    kept = FILES / f"{name}.txt"
    if UPDATE:
        kept.write_text(found)
    assert found == kept.read_text()
