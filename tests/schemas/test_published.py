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

from bai.schemas.validators import is_valid, schema, validate

ROOT = Path(__file__).parents[2]
PUBLISHED = Path(os.environ.get("BAI_ORACLE", ROOT.parent / "shared/oracle")) / "2018-05-01"
FILES = {"job": "job", "cluster": "cluster", "fileServer": "nfs"}
CORPUS = Path(__file__).parent / "corpus"
DOCUMENTS = sorted(CORPUS.glob("*/*/*.json"))
EXPRESSION = {"type": "string", "pattern": r"^\[([^\[].*)?\]$"}
TEMPLATE = "https://schema.management.azure.com/schemas/2015-01-01/deploymentTemplate.json"
# What says nothing about validity: without a format checker `format` is a note too.
ANNOTATIONS = {"title", "description", "default", "format"}

needs_published = pytest.mark.skipif(not PUBLISHED.exists(), reason="published schemas not here")


@functools.cache
def published_schema(kind):
    """The published schema, with what keeps it from working at all put right.

    Two of the files have a list where a schema must be ("required" among the properties of the
    root): jsonschema can't go on where a document has such a key.
    """
    data = json.loads((PUBLISHED / f"{FILES[kind]}.json").read_text())
    if isinstance(data["properties"].get("required"), list):
        del data["properties"]["required"]
    return data


@functools.cache
def published(kind):
    """The published validator; Azure's template schema, which it refers to, answers offline."""
    template = Resource(contents={"definitions": {"expression": EXPRESSION}}, specification=DRAFT4)
    registry = Registry().with_resource(TEMPLATE, template)
    return Draft4Validator(published_schema(kind), registry=registry)


def test_the_corpus_has_both_verdicts_for_every_kind():
    folders = {path.parent.relative_to(CORPUS).parts for path in DOCUMENTS}
    assert folders == {(kind, verdict) for kind in FILES for verdict in ("accepted", "refused")}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(CORPUS)))
def test_a_document_of_the_corpus_gets_the_verdict_of_its_folder(path):
    kind, verdict, _ = path.relative_to(CORPUS).parts
    document = json.loads(path.read_text())
    assert is_valid(kind, document) == (verdict == "accepted")
    assert (validate(kind, document) == ()) == (verdict == "accepted")


@needs_published
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(CORPUS)))
def test_verdicts_on_the_corpus(path):
    document = json.loads(path.read_text())
    for kind in FILES:
        assert is_valid(kind, document) == published(kind).is_valid(document), kind


def rules(part, root):
    """Return a schema with its references followed, down to what decides about validity."""
    match part:
        case {"$ref": str(target)} if target.endswith("/expression"):
            return "expression"
        case {"$ref": str(target)}:
            return rules(root["definitions"][target.removeprefix("#/definitions/")], root)
    kept = {key: value for key, value in part.items() if key not in ANNOTATIONS}
    for keyword in {"required", "enum"} & kept.keys():
        kept[keyword] = sorted(kept[keyword])
    if "items" in kept:
        kept["items"] = rules(kept["items"], root)
    if "oneOf" in kept:
        kept["oneOf"] = [rules(branch, root) for branch in kept["oneOf"]]
    if "properties" in kept:
        kept["properties"] = {key: rules(inner, root) for key, inner in kept["properties"].items()}
    return kept


@needs_published
@pytest.mark.parametrize("kind", FILES)
def test_rules_are_the_published_ones(kind):
    ours, theirs = schema(kind), published_schema(kind)
    assert ours["definitions"]["expression"].items() >= EXPRESSION.items()
    roots = [
        {key: value for key, value in data.items() if key not in ("$schema", "definitions")}
        for data in (ours, theirs)
    ]
    assert rules(roots[0], ours) == rules(roots[1], theirs)


JUNK = st.sampled_from(
    [None, True, 0, -3, 2.0, 1.5, "", "text", "[expression]", "[[no", [], [1], {}, {"id": 1}]
).map(copy.deepcopy)


# Deep enough for the key vault of a volume's credentials in a cluster's node setup.
DEPTH = 8


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
    return st.fixed_dictionaries(required, optional=optional if depth < DEPTH else {})


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
