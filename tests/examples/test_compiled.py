"""What the specs of the examples compile to: golden/NAME/SPEC.json.

`BAI_UPDATE_GOLDEN=1 pytest tests/examples/test_compiled.py` writes the files anew: read the
difference before you keep it.
"""

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
SPECS = sorted((ROOT / "examples").glob("*/*.yaml"))
UPDATE = os.environ.get("BAI_UPDATE_GOLDEN") == "1"
SNAPSHOT = re.compile(r"(?<=/code/)[0-9a-f]{32}")
"""The name of a snapshot of code, which is another one after each change of a script."""


def short(path):
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", SPECS, ids=short)
def test_an_example_compiles_to_its_golden_file(bai, path):
    compiled = SNAPSHOT.sub("SNAPSHOT", bai.run("compile", path).stdout)
    compiled = compiled.replace(str(ROOT), "ROOT")
    golden = GOLDEN / f"{short(path)}.json"
    if UPDATE:
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(compiled)
    assert golden.exists(), f"run with BAI_UPDATE_GOLDEN=1 to make {golden}"
    assert compiled == golden.read_text()


def test_every_golden_file_has_an_example():
    found = {short(path) for path in GOLDEN.glob("*/*.json")}
    assert found == {short(path) for path in SPECS}
