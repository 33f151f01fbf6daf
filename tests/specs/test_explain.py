"""Documentation of the language."""

import pytest

from bai.specs.explain import ROOTS, explain
from bai.specs.walk import fields, shape


@pytest.mark.parametrize(
    ("path", "kind", "required"),
    [
        ("experiment.spec.jobs.horovod.script", "string", True),
        ("spec.jobs.train.horovod.script", "string", True),
        ("job.horovod.processCount", "integer from 1", False),
        ("job.priority", "low | normal | high", False),
        ("job.environment", "map of string", False),
        ("job.environment.HOME", "string", False),
        ("job.mounts", "map of (string | Mount)", False),
        ("job.mounts.data.azureFile", "AzureFile", False),
        ("job.mounts.azureFile.key", "secret reference", False),
        ("job.secrets", "map of secret reference", False),
        ("cluster.scale", "integer | Scale", True),
        ("cluster.image", "string | Image", False),
        ("fileServer.allowIps", "list of string", False),
    ],
)
def test_places(path, kind, required):
    found = explain(path)
    assert (found.type, found.required) == (kind, required)
    assert found.description


def test_children():
    found = explain("job.horovod")
    assert [child.name for child in found.children if child.required] == ["script"]
    assert "processesPerNode" in [child.name for child in found.children]
    assert explain("job.horovod.script").children == ()


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("job.horovd", "horovod"),
        ("job.horovod.scrpt", "script"),
        ("jib", "job"),
        ("job.nodeCount.x", "nothing can stand here"),
        ("job.environment.HOME.x", "nothing can stand here"),
        ("", "experiment"),
    ],
)
def test_unknown_places(path, nearest):
    with pytest.raises(LookupError, match=nearest):
        explain(path)


def test_every_place_explains_itself():
    todo = [(name, model) for name, model in ROOTS.items()]
    seen = 0
    while todo:
        path, annotation = todo.pop()
        found = explain(path)
        assert found.description, path
        seen += 1
        here = shape(annotation)
        model = here.model or shape(here.values).model
        if model:
            todo += [(f"{path}.{key}", field.annotation) for key, field in fields(model).items()]
    assert seen > 200
