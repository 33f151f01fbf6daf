"""Golden cases: golden/CASE/spec.yaml in; findings.txt and, without errors, resources.json out.

A case may also have defaults.json (fields of `Defaults`), code.json (what is known of folders of
code) and spans.txt (where every value of the resources comes from).
`BAI_UPDATE_GOLDEN=1 pytest tests/compiler/test_golden.py` writes the files anew: read the
difference before you keep it.
"""

import json
import os
from pathlib import Path

import pytest
from compiling import compile_specs
from linting import described, excerpt
from loading import load_text

from bai.compiler.compilation import Defaults
from bai.compiler.emit.resources import to_json
from bai.compiler.resources.code import Code
from bai.specs.findings import errors

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir() if (path / "spec.yaml").exists())
UPDATE = os.environ.get("BAI_UPDATE_GOLDEN") == "1"
DEFAULTS = {"resource_group": "group", "workspace": "space", "location": "eastus"}


def leaves(value, path=()):
    inner = value.items() if isinstance(value, dict) else None
    if isinstance(value, list):
        inner = enumerate(value)
    if inner is None:
        yield path, value
    else:
        for step, part in inner:
            yield from leaves(part, (*path, step))


def origins(compilations, text):
    for resource in (resource for each in compilations for resource in each.resources):
        yield f"{resource.id.kind.singular} {resource.id.name}"
        for path, value in leaves(resource.to_wire()):
            span = resource.span(*path)
            dotted = ".".join(map(str, path)).removeprefix("properties.")
            yield f"  {dotted} = {value!r}"
            yield f"      {span.line}:{span.column} {excerpt(span, text)}"


class KnownFolders:
    """Folders of code: path -> name of the snapshot, and files that it leaves out."""

    def __init__(self, known):
        self._known = known

    def find(self, folder):
        return Code(folder, self._known[folder]["name"])

    def leaves_out(self, folder, path):
        return path in self._known[folder]["leftOut"]


def compile_case(case):
    """Return (file name -> what should be in it) of a case."""
    text = (case / "spec.yaml").read_text()
    chosen = DEFAULTS
    if (case / "defaults.json").exists():
        chosen = json.loads((case / "defaults.json").read_text())
    loaded = load_text(text, "spec.yaml", "/project")
    folders = None
    if (case / "code.json").exists():
        folders = KnownFolders(json.loads((case / "code.json").read_text()))
    compilations = compile_specs(loaded.specs, Defaults(**chosen), folders)
    findings = [*loaded.findings, *(f for each in compilations for f in each.findings)]
    found = {
        "findings.txt": "".join(described(finding, text) for finding in findings),
    }
    if not errors(findings):
        found["resources.json"] = to_json(compilations)
    if (case / "spans.txt").exists():
        found["spans.txt"] = "".join(f"{line}\n" for line in origins(compilations, text))
    return found


@pytest.mark.parametrize("name", CASES)
def test_golden(name):
    case = GOLDEN / name
    found = compile_case(case)
    if UPDATE:
        (case / "resources.json").unlink(missing_ok=True)
        for file, text in found.items():
            (case / file).write_text(text)
    kept = {
        path.name: path.read_text()
        for path in case.iterdir()
        if path.name in ("findings.txt", "resources.json", "spans.txt")
    }
    assert found == kept
