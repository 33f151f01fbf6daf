"""The schema for editors: current, valid, and of one mind with the loader."""

import json
from pathlib import Path

import jsonschema
import pytest
from loading import load_file, load_text

from bai.specs.models.kinds import KINDS
from bai.specs.schema import schema_text, spec_schema
from bai.specs.source.plain_scalar import Plain
from bai.specs.syntax.reader import read

ROOT = Path(__file__).parents[2]
BROKEN = Path(__file__).parent / "broken"
SCHEMA = spec_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
# Rules that a schema can't say, or says of another part of the file.
UNSAID = {"BAI303", "BAI302", "BAI306", "BAI307", "BAI501", "BAI502", "BAI601", "BAI602"}


def as_editors_see_it(data):
    if isinstance(data, dict):
        return {key: as_editors_see_it(value) for key, value in data.items()}
    if isinstance(data, list):
        return [as_editors_see_it(value) for value in data]
    return data.value if isinstance(data, Plain) else data


def verdicts(text):
    documents, _ = read(text, "file")
    return [VALIDATOR.is_valid(as_editors_see_it(document.data)) for document in documents]


def test_the_committed_file_is_current():
    committed = (ROOT / "schemas" / "experiment.schema.json").read_text()
    assert committed == schema_text(), "run python -m bai.specs.schema > the file"


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("examples/*/experiment.yaml")), ids=lambda path: path.parent.name
)
def test_examples_are_valid(path):
    assert verdicts(path.read_text()) == [True]


@pytest.mark.parametrize("path", sorted(BROKEN.glob("*.yaml")), ids=lambda path: path.stem)
def test_broken_specs_are_not(path):
    codes = {finding.code for finding in load_file(path).findings}
    if {code for code in codes - UNSAID if not code.startswith("BAI1")}:
        assert True not in verdicts(path.read_bytes())


HEAD = "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: e}\nspec:\n"
RIGHT = [
    "clusters: {c: {vmSize: A, scale: 2}}",
    "clusters: {c: {vmSize: A, scale: {min: 0, max: 2}, image: UbuntuLTS}}",
    "jobs: {j: {nodeCount: 1, logs: /x, custom: {command: ls}}}",
    "jobs: {j: {nodeCount: 1, logs: /x, custom: {command: 1}, container: i}}",
    "jobs: {j: {nodeCount: 1, logs: /x, custom: {command: 1}, environment: {A: 0777, B: true}}}",
    "jobs: {j: {nodeCount: 1, logs: /x, custom: {command: 1}, mounts: {a: azureFile:s}}}",
    "storageKey: env:A",
    "storageKey: {file: /x}",
    "storageKey: {keyVault: {vault: v, url: u}}",
    # A null leaves its key out.
    "jobs: {j: {nodeCount: 1, logs: /x, custom: {command: ls}, container: , priority: null}}",
    "jobs: {j: {nodeCount: 1, logs: /x, custom: {command: ls}, caffe: null, timeLimit: ~}}",
    "jobs: {j: {nodeCount: 1, logs: /x, caffe: {config: c, script: null, args: null}}}",
    "jobs: {j: {nodeCount: 1, logs: /x, pyTorch: {script: s, backend: , processCount: }}}",
    "clusters: {c: {vmSize: A, scale: {min: 0, max: 2, target: null}, image: null, user: null}}",
    "clusters: {c: {vmSize: A, scale: 1, mounts: {a: {azureFile: {share: s, key: , url: }}}}}",
    "clusters: {c: {vmSize: A, scale: {target: 1, min: null, max: ~}}}",
    "clusters: {c: {vmSize: A, scale: 1, mounts: {a: {azureFile: null, file: {path: .}}}}}",
    "clusters: {c: {vmSize: A, scale: 1, mounts: {a: {azureFile: {share: s}, azureBlob: ~}}}}",
    "clusters: {c: {vmSize: A, scale: 1, user: {name: u, password: {env: E, file: null}}}}",
    "storageKey: {env: null, file: /x, keyVault: }",
    "storageKey: null",
]
WRONG = [
    "clusters: {c: {vmSize: A, scale: '2'}}",
    "clusters: {c: {vmSize: A, scale: {target: 1, min: 0, max: 2}}}",
    "clusters: {c: {vmSize: A, scale: 1, user: {name: u}}}",
    "jobs: {j: {nodeCount: 1, logs: /x}}",
    "jobs: {j: {nodeCount: 0, logs: /x, custom: {command: ls}}}",
    "jobs: {a b: {nodeCount: 1, logs: /x, custom: {command: ls}}}",
    "jobs: {j: {nodeCount: 1, logs: /x, custom: {command: ls}, caffe: {config: c}}}",
    "jobs: {j: {nodeCount: 1, logs: /x, caffe: {config: c, script: s}}}",
    "jobs: {j: {nodeCount: 1, logs: /x, custom: {command: ls}, mounts: {a: nfs:s}}}",
    "storageKey: literal",
    "storageKey: {env: a, file: b}",
    "storagekey: env:A",
    "jobs: {j: {nodeCount: null, logs: /x, custom: {command: ls}}}",
    "jobs: {j: {nodeCount: 1, logs: /x, custom: null}}",
    "jobs: {j: {nodeCount: 1, logs: /x, custom: {command: ls}, inputs: null}}",
    "jobs: {j: {nodeCount: 1, logs: /x, custom: {command: ls}, environment: {A: null}}}",
    "clusters: {c: {vmSize: A, scale: {min: 0, max: null}}}",
    "clusters: {c: {vmSize: A, scale: 1, mounts: {a: {azureFile: null}}}}",
    "clusters: {c: {vmSize: A, scale: 1, mounts: {a: {}}}}",
    "clusters: {c: {vmSize: A, scale: 1, mounts: {a: {azureFile: null, file: null}}}}",
    "clusters: {c: {vmSize: A, scale: 1, mounts: {a: {file: {path: .}, unmanaged: {command: m}}}}}",
    "clusters: {c: {vmSize: A, scale: 1, user: {name: u, password: {env: null}}}}",
    "clusters: {c: {vmSize: A, scale: 1, user: {name: u, password: {}}}}",
    "storageKey: {env: null, file: null, keyVault: null}",
    "jobs: null",
]


@pytest.mark.parametrize(
    ("spec", "valid"), [*((spec, True) for spec in RIGHT), *((spec, False) for spec in WRONG)]
)
def test_schema_and_loader_agree(spec, valid):
    text = f"{HEAD}  {spec}\n"
    assert verdicts(text) == [valid]
    assert (load_text(text, "file", "/").findings == ()) is valid


SERVER = "vmSize: A, disks: {count: 1, size: 8g, type: standard}, user: {name: u, sshKey: k}"
OF_KINDS = {
    "Experiment": "jobs: {j: {custom: {command: ls}}}",
    "Cluster": "scale: 1",
    "FileServer": SERVER,
}


@pytest.mark.parametrize(
    ("where", "valid"),
    [
        ("", True),
        ("x-own: [1]", True),
        ("spec.x-own: {a: 1}", True),
        ("own: 1", False),
        ("spec.own: 1", False),
        ("metadata.x-own: 1", False),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_schema_and_loader_agree_on_keys_of_one_s_own(kind, where, valid):
    own = {"": "", "metadata": "", "spec": ""}
    place, _, key = where.rpartition(".")
    own[place] = f", {key}" if key else ""
    spec = f", spec: {{{OF_KINDS[kind]}{own['spec']}}}" if kind in OF_KINDS else ""
    if own["spec"] and not spec:
        spec, valid = f", spec: {{{key}}}", False
    metadata = f"metadata: {{name: e{own['metadata']}}}"
    text = f"{{apiVersion: bai/v1, kind: {kind}, {metadata}{spec}{own['']}}}"
    assert verdicts(text) == [valid]
    assert (load_text(text, "file", "/").findings == ()) is valid


@pytest.mark.parametrize(
    "spec",
    [
        "clusters: {c: {scale: 1, x-own: 1}}",
        f"fileServers: {{s: {{{SERVER}, x-own: 1}}}}",
        "jobs: {j: {x-own: 1, custom: {command: ls}}}",
    ],
)
def test_keys_of_one_s_own_stand_no_deeper(spec):
    test_schema_and_loader_agree(spec, False)


def test_every_key_is_described():
    parts = [SCHEMA, *SCHEMA["$defs"].values()]
    missing = [key for part in parts for key, field in part.get("properties", {}).items()
               if not field.get("description")]  # fmt: skip
    assert missing == []
    assert json.dumps(SCHEMA).count('"title"') == 1
