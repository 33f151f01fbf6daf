"""Whatever stands in Batch AI's files: findings with places, and never anything else."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linting import lint

from bai.compiler.batchai.recognition import batchai_kind
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.driver.examine import view_of
from bai.linter.environment import LintEnvironment
from bai.linter.resource_view import ResourceView
from bai.linter.rules.registry import is_clean
from bai.schemas.validators import schema
from bai.specs.source.plain_scalar import resolved
from bai.specs.syntax.reader import read

CORPUS = Path(__file__).parents[1] / "schemas/corpus"
DOCUMENTS = [json.loads(path.read_text()) for path in sorted(CORPUS.glob("*/*/*.json"))]
KINDS = {Kind.JOB: "job", Kind.CLUSTER: "cluster", Kind.FILE_SERVER: "fileServer"}
SCHEMA = "https://raw.githubusercontent.com/Azure/BatchAI/master/schemas/2018-05-01/{}.json"


def keys_of(part):
    if isinstance(part, dict):
        yield from part.get("properties", ())
        for inner in part.values():
            yield from keys_of(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from keys_of(inner)


KEYS = sorted({key for kind in KINDS.values() for key in keys_of(schema(kind))})
ANSWERED = ["id", "name", "type", "location", "tags", "comment", "required"]
keys = st.sampled_from(KEYS) | st.sampled_from(["priority", "type", "", "x"]) | st.text(max_size=5)
texts = st.text(max_size=12) | st.sampled_from(
    [
        "[]",
        "[[x]",
        "[parameters('x')]",
        "STANDARD_NC6",
        "STANDARD_DS2_V2",
        "STANDARD-NC6",
        "7.00:00:00",
        "P",
        "P1Y",
        "PT0S",
        "99d",
        "a:b@c/d",
        "/subscriptions//workspaces/clusters",
        "https://a.file.core.windows.net/b",
        "${mounts.x}",
        "$AZ_BATCHAI_JOB_MOUNT_ROOT/x",
        "$AZ_BATCHAI_INPUT_",
        "\ud800",
        "Premium_LRS",
        "readonly",
    ]
)
numbers = st.integers(-3, 200) | st.integers() | st.floats(allow_nan=False)
LONG = "an integer that is longer than Python would write"
scalars = st.none() | st.booleans() | numbers | texts | st.just(LONG)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=6),
    max_leaves=12,
)
files = st.one_of(
    *(
        st.builds(
            lambda rest, properties, address: rest | {"$schema": address, "properties": properties},
            st.dictionaries(st.sampled_from(ANSWERED) | keys, texts | values, max_size=3),
            st.dictionaries(keys, values, max_size=10) | values,
            st.just(SCHEMA.format(stem)) | texts,
        )
        for stem in ("job", "cluster", "nfs")
    )
)


def places(value, path=()):
    yield path
    inner = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        inner = enumerate(value)
    for step, part in inner:
        yield from places(part, (*path, step))


@st.composite
def mutated(draw):
    """A document of the corpus with a few changes."""
    document = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    for _ in range(draw(st.integers(1, 4))):
        found = [path for path in places(document) if path]
        if not found:
            return document
        *above, last = draw(st.sampled_from(found))
        holder = document
        for step in above:
            holder = holder[step]
        match draw(st.sampled_from(["replace", "remove", "rename", "repeat"])):
            case "rename" if isinstance(holder, dict):
                holder[draw(keys)] = holder.pop(last)
            case "repeat" if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[last]))
            case "remove":
                del holder[last]
            case _:
                holder[last] = draw(values)
    return document


def written(data):
    return json.dumps(data).replace(json.dumps(LONG), "1" + "0" * 5000).encode()


def check(data, clusters):
    content = written(data)
    found = lint(content, "job.json", "/project", LintEnvironment(clusters=clusters))
    assert all(finding.span and finding.message for finding in found)
    assert len(set(found)) == len(found)
    documents, unread = read(content, "job.json")
    for document in documents:
        kind = batchai_kind(document.data)
        if unread or kind is None:
            continue
        plain = resolved(document.data)
        subjects = RuleContext([ResourceView(kind, plain)], LintEnvironment(clusters=clusters))
        assert is_clean(subjects) == (not found)
        assert is_clean(subjects, is_one_of_many=True) == (not found)


def clusters_in(data):
    documents, _ = read(written(data), "cluster.json")
    return [view_of(Kind.CLUSTER, document) for document in documents]


@pytest.mark.slow
@pytest.mark.parametrize("start", ["mutated", "made"])
def test_nothing_in_a_file_makes_the_linter_fail(start):
    first = mutated() if start == "mutated" else files

    @settings(max_examples=150, deadline=None)
    @given(first, st.none() | mutated() | files)
    def run(data, beside):
        check(data, clusters_in(beside))

    run()
