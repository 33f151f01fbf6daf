"""What the page for editors shows can be pasted, and names what there is."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/editors.md").read_text()
MODELINE = re.compile(r"^# yaml-language-server: \$schema=(\S+)", re.MULTILINE)


def block(language):
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return found


def test_settings_start_the_server():
    helix = tomllib.loads(block("toml"))["language-server"]["bai"]
    assert [helix["command"], *helix["args"]] == ["bai", "lsp"]
    code = json.loads(block("json"))
    assert code["glspc.server.command"] == "bai"
    assert code["glspc.server.commandArguments"] == ["lsp"]
    assert '{ "bai", "lsp" }' in block("lua")
    assert '("bai" "lsp")' in block("elisp")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "lsp" in extras["optional-dependencies"]


@pytest.mark.parametrize(
    "path",
    [*(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.yaml")],
    ids=lambda path: path.name,
)
def test_modelines_name_the_published_schema(path):
    for address in MODELINE.findall(path.read_text()):
        assert (path.parent / address).resolve() == ROOT / "schemas/experiment.schema.json"
