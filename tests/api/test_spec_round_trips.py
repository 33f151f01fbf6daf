"""Specs from YAML to `bai.spec` and back: nothing is lost on the way."""

import json
from pathlib import Path

import pytest
from compiling import compile_specs
from generating import specs
from hypothesis import given, settings
from loading import load_text

from bai import spec
from bai.compiler.compilation import Defaults
from bai.spec_values import CLASSES
from bai.specs.findings import errors
from bai.specs.models.kinds import KINDS
from bai.specs.source.plain_scalar import resolved
from bai.specs.syntax.reader import read

ROOT = Path(__file__).parents[2]
CONTEXT = Defaults(resource_group="group", workspace="space", location="eastus")
OF_KIND = {kind: CLASSES[model] for kind, model in KINDS.items()}
EXAMPLES = sorted(ROOT.glob("examples/*/*.yaml"))
SCALARS = ["0.1", "1e-3", "1.10", "0x10", "0o17", "1e3", "-.5", "True", "true", "no", "'1'", "~x"]
SCALARS += ["12:30", "08", ".inf", "2018-05-01", "1_000", "1e-05"]
FILES = [
    *EXAMPLES,
    *ROOT.glob("specs/examples/*.yaml"),
    *ROOT.glob("tests/compiler/golden/*/spec.yaml"),
]


def test_what_a_file_may_hold_is_the_same_spec_in_python_and_back():
    tried = set()
    for path in FILES:
        text = path.read_text()
        if load_text(text, "e.yaml", "/project").findings:
            continue
        documents, _ = read(text, "e.yaml")
        for document in documents:
            of_kind = OF_KIND[document.data["kind"]]
            if sum(each.data["kind"] == document.data["kind"] for each in documents) > 1:
                continue
            written = of_kind.from_yaml(text)
            again = of_kind.from_yaml(written.to_yaml())
            assert again == written, path
            assert again.to_yaml() == written.to_yaml()
            [own], _ = read(written.to_yaml(), "e.yaml")
            wanted = {k: v for k, v in document.data.items() if not k.startswith("x-")}
            if "spec" in wanted:
                kept = wanted["spec"].items()
                wanted["spec"] = {k: v for k, v in kept if not k.startswith("x-")}
            assert shown(own.data) == shown(wanted), path
            tried.add(path.parent.parent.name)
    assert tried == {"examples", "specs", "golden"}


def shown(data):
    """Return data as text, in the order in which it stands, without what says nothing (`{}`)."""

    def without_nothing(data):
        if isinstance(data, dict):
            inner = {key: without_nothing(value) for key, value in data.items()}
            return {key: value for key, value in inner.items() if value not in (None, {})}
        return [without_nothing(each) for each in data] if isinstance(data, list) else data

    return json.dumps(without_nothing(resolved(data)), indent=1)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_example_compiles_to_the_same_by_way_of_python(path):
    text = path.read_text()
    written = spec.Experiment.read(path)
    assert wires(written.to_yaml(), path.parent) == wires(text, path.parent)


def wires(text, folder="/project"):
    loaded = load_text(text, "e.yaml", str(folder))
    assert errors(loaded.findings) == ()
    compilations = compile_specs(list(loaded.specs), CONTEXT)
    return {str(r.id): r.to_wire() for each in compilations for r in each.resources}


@settings(max_examples=25)
@given(specs())
def test_any_spec_stays_what_it_is_by_way_of_python(data):
    text = json.dumps(data, indent=1)
    written = spec.Experiment.from_yaml(text)
    made = written.to_yaml()
    assert spec.Experiment.from_yaml(made) == written
    assert wires(made) == wires(text)


@pytest.mark.parametrize("scalar", SCALARS)
def test_a_scalar_keeps_its_text_and_its_type(scalar):
    text = f"""\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: e}}
spec:
  parameters: {{lr: {scalar}}}
  jobs: {{j: {{environment: {{X: {scalar}}}, custom: {{command: "train ${{parameters.lr}}"}}}}}}
"""
    written = spec.Experiment.from_yaml(text)
    assert wires(written.to_yaml()) == wires(text)
    [first], [second] = read(text, "e")[0], read(written.to_yaml(), "e")[0]
    types = [resolved(each.data)["spec"]["parameters"]["lr"] for each in (first, second)]
    assert types[0] == types[1]
    assert type(types[0]) is type(types[1])
