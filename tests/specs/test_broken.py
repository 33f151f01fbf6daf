"""Broken specs and what is said of them: broken/NAME.yaml in, broken/NAME.expected out.

`BAI_UPDATE_GOLDEN=1 pytest tests/specs/test_broken.py` writes the expected texts anew: read the
difference before you keep it.
"""

import os
from pathlib import Path

import pytest
from loading import load_file

BROKEN = Path(__file__).parent / "broken"
CASES = sorted(BROKEN.glob("*.yaml"))


def report(result):
    lines = []
    for finding in result.findings:
        span = finding.span
        place = f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"
        lines.append(f"{place} {finding.code} {finding.message}")
        lines += [f"    {finding.hint}"] if finding.hint else []
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_broken(path):
    found = report(load_file(path))
    expected = path.with_suffix(".expected")
    if os.environ.get("BAI_UPDATE_GOLDEN") == "1":
        expected.write_text(found)
    assert found == expected.read_text()
    assert "SECRETKEY" not in found


def test_every_case_has_both_files():
    assert {path.stem for path in CASES} == {path.stem for path in BROKEN.glob("*.expected")}
    assert CASES
