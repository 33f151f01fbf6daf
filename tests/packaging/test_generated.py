"""What is generated is current, and what is packaged is complete."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from bai.linter.pages.catalogue import catalogue
from bai.specs.schema import spec_schema

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
ROOMS = {"bai": "api"} | {
    f"bai.{room}": room
    for room in ("cli", "compiler", "linter", "lsp", "runtime", "schemas", "specs")
}


@pytest.mark.parametrize("made", ["keys", "rooms", "rules", "schemas", "spec"])
def test_what_a_tool_writes_is_current(made):
    script = ROOT / f"tools/build_{made}.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()


def test_every_code_is_documented():
    text = (ROOT / "docs/rules.md").read_text()
    assert re.findall(r"^### (\w+)$", text, re.MULTILINE) == list(catalogue())


def test_the_schema_for_editors_is_current():
    committed = json.loads((ROOT / "schemas/experiment.schema.json").read_text())
    assert committed == spec_schema(), "run: bai schema > schemas/experiment.schema.json"


def test_every_folder_with_code_is_packaged():
    found = set()
    for package, room in ROOMS.items():
        for init in (ROOT / room).rglob("__init__.py"):
            below = init.parent.relative_to(ROOT / room).parts
            found.add(".".join((package, *below)))
    assert sorted(PROJECT["tool"]["setuptools"]["packages"]) == sorted(found)


def test_the_wheel_holds_one_package_with_its_data(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"bai"}
    assert {"bai/py.typed", "bai/schemas/2018-05-01/job.json"} <= set(names)
    assert "bai/schemas/experiment.schema.json" in names
    data = [*(ROOT / "cli/templates").glob("*/*.*"), *(ROOT / "specs/examples").glob("*.yaml")]
    assert {f"bai/{path.relative_to(ROOT)}" for path in data} <= set(names)
