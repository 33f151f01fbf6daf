"""What schemas say of places: the same as the models where both speak of a spec."""

import json

import pytest

from bai.schemas.fields import SPEC, batchai_grammar, spec_grammar
from bai.schemas.validators import schema
from bai.specs.explain import explain

GRAMMAR = spec_grammar()
JOB = ("spec", "jobs", "train")


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), "experiment"),
        (("spec",), "experiment.spec"),
        (JOB, "job"),
        ((*JOB, "horovod"), "job.horovod"),
        ((*JOB, "container"), "job.container"),
        ((*JOB, "mounts", "data"), "mount"),
        ((*JOB, "mounts", "data", "azureFile"), "mount.azureFile"),
        (("spec", "clusters", "gpu"), "cluster"),
        (("spec", "clusters", "gpu", "scale"), "cluster.scale"),
        (("spec", "fileServers", "nfs", "disks"), "fileServer.disks"),
    ],
)
def test_keys_are_those_that_explain_knows(path, place):
    known = {child.name: child for child in explain(place).children}
    fields = {field.name: field for field in GRAMMAR.keys(path)}
    assert fields.keys() == known.keys()
    for name, field in fields.items():
        assert field.required == known[name].required
        assert field.description.startswith(known[name].description)


def descriptions(schema):
    """Yield (key, description) of all keys of a schema."""
    for part in [schema, *schema.get("definitions", schema.get("$defs", {})).values()]:
        for key, inner in part.get("properties", {}).items():
            yield key, inner.get("description", "")
            yield from descriptions(inner)


@pytest.mark.parametrize("kind", ["job", "cluster", "fileServer", None])
def test_descriptions_say_something(kind):
    text = json.loads(SPEC.read_text()) if kind is None else schema(kind, "source")
    found = dict(descriptions(text))
    found.pop("properties", None)
    assert len(found) > 10
    assert {key: said for key, said in found.items() if len(said.split()) < 5} == {}


def test_values_that_can_be_listed():
    assert GRAMMAR.field((*JOB, "priority")).values == ("low", "normal", "high")
    assert GRAMMAR.field(("kind",)).values == (
        "Experiment",
        "Cluster",
        "FileServer",
        "Workspace",
    )
    assert GRAMMAR.field((*JOB, "nodeCount")).values == ()


def test_of_several_toolkits_one_is_enough():
    toolkits = [field.name for field in GRAMMAR.keys(JOB) if field.alternative]
    assert toolkits[:2] == ["horovod", "pyTorch"]
    assert "nodeCount" not in toolkits
    left = [field.name for field in GRAMMAR.keys(JOB, ["horovod"])]
    assert not {*left} & {*toolkits}
    assert "nodeCount" in left
    properties = batchai_grammar("job").keys(("properties",), ["caffeSettings"])
    assert "horovodSettings" not in [field.name for field in properties]


@pytest.mark.parametrize("kind", ["job", "cluster", "fileServer"])
def test_every_key_of_batch_ai_is_documented(kind):
    grammar = batchai_grammar(kind)
    todo, seen = [()], 0
    while todo:
        path = todo.pop()
        for field in grammar.keys(path):
            assert field.description, (*path, field.name)
            assert field.type != "any"
            todo.append((*path, field.name))
            seen += 1
    assert seen > 10
    assert "definitions" in schema(kind)


def test_places_in_lists_and_nowhere():
    grammar = batchai_grammar("job")
    share = ("properties", "mountVolumes", "azureFileShares", 0, "azureFileUrl")
    assert grammar.field(share).required
    assert grammar.field(("properties", "nothing")) is None
    assert grammar.keys(("properties", "nodeCount", "deeper")) == []
    assert GRAMMAR.field(()) is None
