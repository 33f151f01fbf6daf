"""Our schemas give the verdicts of the published ones, on every document."""

import copy
import functools
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT4

from bai.schemas.validators import FILLED_IN, is_valid, schema, validate

ROOT = Path(__file__).parents[2]
PUBLISHED = Path(os.environ.get("BAI_ORACLE", ROOT.parent / "shared/oracle")) / "2018-05-01"
FILES = {"job": "job", "cluster": "cluster", "fileServer": "nfs"}
CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.json"))
EXPRESSION = {"type": "string", "pattern": r"^\[([^\[].*)?\]$"}
TEMPLATE = "https://schema.management.azure.com/schemas/2015-01-01/deploymentTemplate.json"

needs_published = pytest.mark.skipif(not PUBLISHED.exists(), reason="published schemas not here")


@functools.cache
def published(kind):
    """The published validator, with what keeps it from working at all put right.

    Two of the files have a list where a schema must be ("required" among the properties of the
    root). All refer to Azure's template schema for expressions; here that answers offline.
    """
    data = json.loads((PUBLISHED / f"{FILES[kind]}.json").read_text())
    if isinstance(data["properties"].get("required"), list):
        del data["properties"]["required"]
    template = Resource(contents={"definitions": {"expression": EXPRESSION}}, specification=DRAFT4)
    registry = Registry().with_resource(TEMPLATE, template)
    return Draft4Validator(data, registry=registry)


@needs_published
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
@pytest.mark.parametrize("kind", FILES)
def test_verdicts_on_the_corpus(kind, path):
    document = json.loads(path.read_text())
    assert is_valid(kind, document) == published(kind).is_valid(document)


JUNK = st.sampled_from(
    [None, True, 0, -3, 2.0, 1.5, "", "text", "[expression]", "[[no", [], [1], {}, {"id": 1}]
).map(copy.deepcopy)


def values(part, root, depth=0):
    """Return a strategy for documents that a schema describes, nearly always."""
    if "$ref" in part:
        return values(root["definitions"][part["$ref"].rsplit("/", 1)[1]], root, depth)
    if "oneOf" in part:
        return values(part["oneOf"][0], root, depth)
    if "enum" in part:
        return st.sampled_from(part["enum"])
    if part.get("type") == "array":
        return st.lists(values(part["items"], root, depth + 1), max_size=2)
    if part.get("type") == "integer":
        return st.integers(-1, 9)
    if part.get("type") == "string":
        return st.sampled_from(["text", "$AZ_BATCHAI_MOUNT_ROOT/x", "[parameters('x')]", ""])
    fields = {key: values(inner, root, depth + 1) for key, inner in part["properties"].items()}
    required = {key: fields[key] for key in part.get("required", ())}
    optional = {key: inner for key, inner in fields.items() if key not in required}
    return st.fixed_dictionaries(required, optional=optional if depth < 4 else {})


def places(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from places(inner, (*path, key))


@st.composite
def documents(draw, kind):
    """A document, mostly right, with up to three places spoilt."""
    root = schema(kind)
    inner = draw(values(root["properties"]["properties"], root))
    document = copy.deepcopy({"properties": inner})
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from(list(places(document))))
        if not path:
            continue
        holder = functools.reduce(lambda here, step: here[step], path[:-1], document)
        match draw(st.sampled_from(["drop", "junk", "extra"])):
            case "drop":
                del holder[path[-1]]
            case "junk":
                holder[path[-1]] = draw(JUNK)
            case "extra" if isinstance(holder, dict):
                holder["unknownKey"] = draw(JUNK)
    return document


@needs_published
@pytest.mark.parametrize("kind", FILES)
def test_verdicts_on_generated_documents(kind):
    seen = set()

    @settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
    @given(documents(kind))
    def agree(document):
        verdict = published(kind).is_valid(document)
        seen.add(verdict)
        assert is_valid(kind, document) == verdict
        assert (validate(kind, document) == ()) == verdict

    agree()
    # A generator that makes only right or only wrong documents would prove little.
    assert seen == {True, False}


@needs_published
@given(JUNK)
def test_verdicts_on_what_is_no_mapping(junk):
    for kind in FILES:
        assert is_valid(kind, junk) == published(kind).is_valid(junk)


@pytest.mark.parametrize("kind", FILES)
def test_schemas_are_valid_complete_and_offline(kind):
    data = schema(kind)
    Draft4Validator.check_schema(data)
    text = json.dumps(data)
    assert '"$ref": "http' not in text

    def described(part):
        for name, inner in part.get("properties", {}).items():
            assert inner.get("description"), name
            described(inner)

    described(data["properties"]["properties"])
    for definition in data["definitions"].values():
        described(definition)


def test_the_file_profile_leaves_out_what_the_command_line_filled_in():
    url = "https://<AZURE_BATCHAI_STORAGE_ACCOUNT>.file.core.windows.net/s"
    share = {"azureFileUrl": url, "relativeMountPath": "s"}
    job = {"properties": {"mountVolumes": {"azureFileShares": [share]}}}
    assert is_valid("job", job, "file")
    (error,) = validate("job", job)
    assert error.path == ("properties", "mountVolumes", "azureFileShares", 0)
    assert error.message == "0 lacks accountName, credentials"
    assert set(FILLED_IN) <= set(schema("job")["definitions"])


def test_the_strict_profile_asks_for_what_the_service_needs():
    job = {
        "properties": {
            "cluster": {"id": "x"},
            "nodeCount": 1,
            "stdOutErrPathPrefix": "x",
            "customToolkitSettings": {"commandLine": "true"},
        }
    }
    assert is_valid("job", job, "strict")
    for spoilt in (
        {"horovodSettings": {"pythonScriptFilePath": "x"}},
        {"priority": "low"},
        {"cluster": None},
    ):
        wrong = {"properties": job["properties"] | spoilt}
        assert not is_valid("job", wrong, "strict")
    assert not is_valid("job", {}, "strict")


def test_errors_name_the_place_and_the_real_branch():
    job = {"properties": {"horovodSettings": {"processCount": "two"}}}
    errors = validate("job", job)
    assert [(error.path, error.message) for error in errors] == [
        (("properties", "horovodSettings"), "horovodSettings lacks pythonScriptFilePath"),
        (
            ("properties", "horovodSettings", "processCount"),
            "processCount must be of type integer",
        ),
    ]
