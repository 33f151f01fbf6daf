"""Documentation of the language."""

import itertools
import re
from pathlib import Path

import pytest

from bai.specs.explain import ROOTS, explain, sentences
from bai.specs.models.shape import fields, shape

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("path", "kind", "required"),
    [
        ("experiment.spec.jobs.horovod.script", "string", True),
        ("spec.jobs.train.horovod.script", "string", True),
        ("job.horovod.processCount", "integer from 1", False),
        ("job.sweep.earlyStopping.factor", "integer from 2", False),
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


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("custom", "job.custom"),
        ("horovod.script", "job.horovod.script"),
        ("vmPriority", "cluster.vmPriority"),
        ("azureFile.key.env", "mount.azureFile.key.env"),
        ("tags", "experiment.metadata.tags"),
    ],
)
def test_a_name_that_stands_in_one_place_is_shown(path, found):
    assert explain(path).path == found


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("mounts", "did you mean job.mounts or cluster.mounts?"),
        ("mounts.azureFile", "did you mean job.mounts or cluster.mounts?"),
        ("backend.x", "job.pyTorch.backend has no 'x'"),
        ("horovd", "did you mean job.horovod?"),
        ("job.command", "did you mean job.customMpi.command or job.custom.command?"),
        ("mont", "did you mean mount?"),
    ],
)
def test_a_name_that_stands_deeper_is_named_by_its_paths(path, hint):
    with pytest.raises(LookupError) as caught:
        explain(path)
    assert hint in str(caught.value)


def every_place():
    todo = list(ROOTS.items())
    while todo:
        path, annotation = todo.pop()
        yield path
        here = shape(annotation)
        model = here.model or shape(here.values).model
        if model:
            todo += [(f"{path}.{key}", field.annotation) for key, field in fields(model).items()]


def test_every_place_explains_itself():
    places = list(every_place())
    assert len(places) > 200
    assert [path for path in places if not explain(path).description] == []


def test_every_key_has_an_example_from_a_spec_of_the_package():
    specs = [path.read_text() for path in (ROOT / "specs/examples").glob("*.yaml")]
    lines = {line.strip() for text in specs for line in text.splitlines()}
    for path in every_place():
        if path not in ROOTS:
            example = explain(path).example
            key = path.rpartition(".")[2]
            assert re.match(rf'"?{key}"?:', example), path
            assert all(any(part.strip() in line for line in lines) for part in example.split("\n"))


@pytest.mark.parametrize(
    ("path", "example"),
    [
        ("cluster.scale.min", "min: 0"),
        ("job.outputs.MODEL", 'outputs: {MODEL: "${mounts.results}"}'),
        ("job.horovod", "horovod: {script: train.py, processesPerNode: 2}"),
        ("job.sweep.earlyStopping", "earlyStopping: {rule: median, after: 5}"),
        ("fileServer.spec.user", "user: {name: me, password: env:NODE_PASSWORD}"),
        ("job", ""),
    ],
)
def test_examples_stand_as_they_are_written(path, example):
    assert explain(path).example == example


def repeated(path):
    """Return the sentences of a page that are another one, or begin one."""
    found = explain(path)
    texts = [found.description, *(child.description for child in found.children)]
    said = [sentence.strip(".").lower() for text in texts for sentence in sentences(text)]
    pairs = itertools.permutations(said, 2)
    return [sentence for sentence, other in pairs if other.startswith(sentence)]


def test_no_page_says_a_thing_twice():
    assert {path: twice for path in every_place() if (twice := repeated(path))} == {}
