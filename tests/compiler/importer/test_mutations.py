"""Files with one thing or a few spoilt: a finding with its place, or a spec that says the same."""

import copy
import functools
import json
from pathlib import Path

from compiling import compile_spec, review
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from loading import load_text

from bai.compiler.batchai.recognition import batchai_kind
from bai.compiler.compilation import Defaults
from bai.compiler.importer.importer import import_files
from bai.compiler.importer.names import ImportNames
from bai.compiler.importer.notes import dotted
from bai.specs.findings import Severity, errors
from bai.specs.syntax.reader import read

TESTS = Path(__file__).parents[2]
FILES = [*TESTS.glob("schemas/corpus/*/*/*.json"), *TESTS.glob("compiler/seeds/*.json")]
NAMES = ImportNames(workspace="w", resource_group="g", location="eastus")
HOME = Defaults(resource_group="g", workspace="w", location="eastus")


def imports(path):
    """Return whether a file can be imported as it is."""
    documents, _ = read(path.read_text(), path.name)
    return import_files(documents, NAMES, review).text != ""


DOCUMENTS = [json.loads(path.read_text()) for path in sorted(FILES) if imports(path)]
NOT_ACCEPTED = {"BAI302", "BAI401", "BAI402", "BAI504", "BAI505", "BAI607", "BAI611"}
"""Errors that an imported spec may have: names, ids and addresses that Batch AI does not accept
either, `${inputs.A}`, which no shell reads, and secrets, which are a person's to take out."""
# What a person may write by mistake, and what stands for something else in a spec.
JUNK = [
    *(None, True, False, 0, 1, 2, -1, 1.5, 10**10, "", " ", "x", "no", "0777", "rwx", "1e3", "/"),
    *("a/b", "..", "a:b", "a b", "[x]", "${mounts.x}", "${inputs.A}", "$AZ_BATCHAI_INPUT_A", "~"),
    *("$AZ_BATCHAI_JOB_MOUNT_ROOT/data/x", "https://a.b/c", "https://", "mount --bind '/a'"),
    *("mount --bind /a/../b", "two\nlines", "high", "High", "requeue", "P7D", "7.00:00:00", "1h"),
    *("<secret env:A>", "<secret env:a b>", "<secret file:a>", "<AZURE_BATCHAI_STORAGE_KEY>"),
    *("env:X", "azureFile://a", "/subscriptions/x", "Canonical", "python", "\ufeff", "{}"),
    *([], {}, [None], [{}], {"id": "x"}, {"id": 1}, ["x"], {"value": "x"}, [[]]),
]
junk = st.sampled_from(JUNK).map(copy.deepcopy) | st.text(max_size=4)


def places(value, path=()):
    """Iterate over the paths below `value`."""
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key)
            yield from places(inner, (*path, key))


ALL_KEYS = sorted({path[-1] for d in DOCUMENTS for path in places(d) if isinstance(path[-1], str)})


@st.composite
def spoilt(draw):
    """A document with up to three mutations."""
    document = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    for _ in range(draw(st.integers(1, 3))):
        found = [path for path in places(document) if len(path) > 1]
        path = draw(st.sampled_from(found))
        holder = functools.reduce(lambda here, step: here[step], path[:-1], document)
        match draw(st.sampled_from(["drop", "junk", "junk", "add", "twice", "move"])):
            case "drop":
                del holder[path[-1]]
            case "junk":
                holder[path[-1]] = draw(junk)
            case "add" if isinstance(holder, dict):
                holder[draw(st.sampled_from(ALL_KEYS) | st.text(max_size=3))] = draw(junk)
            case "twice" if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[path[-1]]))
            case "move":
                source = draw(st.sampled_from(found))
                value = functools.reduce(lambda here, step: here[step], source, document)
                holder[path[-1]] = copy.deepcopy(value)
    return document


def test_there_is_something_to_spoil():
    assert len(DOCUMENTS) > 15
    assert {"job", "cluster", "file server"} <= {
        kind
        for document in DOCUMENTS
        for kind, key in (
            ("job", "nodeCount"),
            ("cluster", "scaleSettings"),
            ("file server", "dataDisks"),
        )
        if key in document["properties"]
    }


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(spoilt())
def test_a_spoilt_file_is_a_finding_or_comes_back(document):
    text = json.dumps(document, indent=1)
    documents, wrong = read(text, "file.json")
    assert wrong == ()
    result = import_files(documents, NAMES, review)
    for finding in result.findings:
        assert finding.span.file == "file.json"
        assert finding.span.line <= text.count("\n") + 1
        assert "pydantic" not in finding.message
    if any(finding.severity is Severity.ERROR for finding in result.findings):
        assert result.text == ""
        return
    loaded = load_text(result.text, "spec.yaml", "/nowhere")
    assert loaded.findings == ()
    kind = batchai_kind(documents[0].data)
    compilation = compile_spec(loaded.specs[0], HOME)
    assert {f.code for f in errors(compilation.findings)} <= NOT_ACCEPTED
    (resource,) = compilation.of_kind(kind)
    warnings = "\n".join(finding.message for finding in result.findings)
    wire = resource.to_wire()
    for path in places({"properties": document["properties"]}):
        wanted = at(document, path)
        # What is empty is nothing, and a number is the text of a string.
        kept = wanted in (None, "", [], {}) or at(wire, path) in (wanted, json.dumps(wanted))
        if not isinstance(wanted, dict | list):
            assert kept or is_reported(path, warnings), path


def is_reported(path, warnings):
    """Return whether a warning names this path or what holds it."""
    return any(f"{dotted(path[:n])} " in warnings for n in range(2, len(path) + 1))


def at(value, path):
    """Return what is at a path, None if nothing is."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value
