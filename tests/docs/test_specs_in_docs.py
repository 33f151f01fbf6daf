"""Every complete spec in the documentation compiles without a finding.

Those below a file name are tested with the commands that read them (test_commands_in_docs.py).
"""

import re
from pathlib import Path

import pytest
from compiling import compile_specs
from loading import load_text

from bai.compiler.compilation import Defaults, findings_of

ROOT = Path(__file__).parents[2]
# The pages of rules are wrong on purpose; they have tests of their own.
PAGES = [ROOT / "README.md", *sorted({*(ROOT / "docs").glob("*.md")} - {ROOT / "docs/rules.md"})]
SPEC = re.compile(r"(?<!`:\n\n)^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)


def specs_in_pages():
    for page in PAGES:
        for number, match in enumerate(SPEC.finditer(page.read_text()), start=1):
            if "apiVersion: bai/v1\n" in match[1]:
                yield pytest.param(match[1], id=f"{page.name}-{number}")


@pytest.mark.parametrize("text", list(specs_in_pages()))
def test_spec_in_docs_compiles(text):
    loaded = load_text(text, "docs.yaml", str(ROOT))
    assert loaded.findings == ()
    defaults = Defaults(resource_group="group", workspace="workspace", location="eastus")
    compilations = compile_specs(loaded.specs, defaults)
    assert list(findings_of(compilations)) == []
    assert compilations
    assert all(each.resources for each in compilations)
