"""The page of all keys: its examples compile, and every key has one."""

import importlib.util
import re
from pathlib import Path

import pytest
from compiling import compile_specs
from loading import load_file
from pydantic.fields import FieldInfo

from bai.compiler.compilation import Defaults
from bai.specs.explain import ROOTS
from bai.specs.models.base import SpecModel
from bai.specs.models.experiment import Experiment
from bai.specs.models.shape import all_keys

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs/examples").glob("*.yaml"))


def load_tool():
    spec = importlib.util.spec_from_file_location("build_keys", ROOT / "tools/build_keys.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = load_tool()


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.name)
def test_the_specs_behind_the_examples_are_clean(path):
    loaded = load_file(path)
    assert loaded.findings == ()
    defaults = Defaults(resource_group="group", workspace="workspace", location="eastus")
    for compilation in compile_specs(list(loaded.specs), defaults):
        assert compilation.findings == ()
        assert compilation.resources


def test_every_key_is_on_the_page():
    keys = re.findall(r"^\| `(\w+)` \|", tool.build(), re.MULTILINE)
    assert len(keys) > 100
    assert set(keys) >= set(all_keys(Experiment))


def test_a_key_without_an_example_is_named_with_what_to_do(monkeypatch):
    class Odd(SpecModel):
        """A mapping that no spec has."""

        key: str
        """A key without an example."""

    monkeypatch.setitem(ROOTS, "odd", Odd)
    monkeypatch.setattr(tool, "sections", tool.sections.__wrapped__)
    with pytest.raises(
        tool.MissingExamplesError,
        match=r"no example of odd\.key: add it to a spec in specs/examples/",
    ):
        tool.build()


def test_text_stands_in_a_cell_as_it_is():
    assert tool.cell("a | b <c> `d | e <f>` <") == r"a \| b \<c> `d \| e <f>` \<"


def test_links_lead_to_headings():
    text = tool.build()
    headings = [tool.anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)]
    assert len(headings) == len(set(headings))
    linked = set(re.findall(r"\]\(#([^)]*)\)", text))
    assert linked
    assert linked <= set(headings)


@pytest.mark.parametrize(
    ("description", "default", "rest"),
    [
        ("Region; by default the context's.", "the context's", "Region."),
        ("Size. By default the context's; not here.", "the context's; not here", "Size."),
        ("Queue; the service's default is normal.", "normal", "Queue."),
        ("Longest run. The service's default is 7 days.", "7 days", "Longest run."),
        ("Options for mount.", "none", "Options for mount."),
    ],
)
def test_a_default_is_taken_from_the_description(description, default, rest):
    child = tool.Child("key", "string", description, required=False)
    assert tool.default_of(child, FieldInfo(default=None)) == (default, rest)
