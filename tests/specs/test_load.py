"""Loading files: what is valid, where findings point, and what is never said."""

from pathlib import Path

import pytest
from loading import load_file, load_text
from pydantic import ValidationError

from bai.specs.explain import explain
from bai.specs.models.experiment import Experiment
from bai.specs.models.job import Job
from bai.specs.models.machines import Cluster
from bai.specs.models.shape import fields, homes
from bai.specs.models.toolkits import TensorFlow
from bai.specs.secrets import KeyVaultRef, SecretRef

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(ROOT.glob("examples/*/experiment.yaml"))
HEAD = "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: e}\n"
JOB = "    j:\n      nodeCount: 1\n      logs: /x\n      custom: {command: ls}\n"


def load(spec):
    return load_text(HEAD + spec, "file", "/")


def job(extra):
    """Return the one job of a spec with more lines."""
    result = load(f"spec:\n  jobs:\n{JOB}      {extra}\n")
    assert result.findings == ()
    return result.specs[0].model.spec.jobs["j"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_examples_load(path):
    result = load_file(path)
    assert result.findings == ()
    assert [spec.directory for spec in result.specs] == [str(path.parent)]


def test_a_path_is_made_absolute(tmp_path, monkeypatch):
    (tmp_path / "spec.yaml").write_text(HEAD + "spec: {}\n")
    monkeypatch.chdir(tmp_path)
    [spec] = load_file("spec.yaml").specs
    assert spec.directory == str(tmp_path)
    assert spec.document.file == "spec.yaml"


@pytest.mark.parametrize("name", ["missing.yaml", ".", "a\0b", "x" * 5000])
def test_files_that_can_not_be_read(tmp_path, name):
    result = load_file(f"{tmp_path}/{name}")
    assert result.specs == ()
    [finding] = result.findings
    assert finding.code == "BAI110"


def test_one_broken_document_leaves_the_others():
    result = load_text(f"{HEAD}spec: {{}}\n---\n{HEAD}spec: 1\n", "file", "/")
    assert [spec.model.metadata.name for spec in result.specs] == ["e"]
    assert [str(finding.span) for finding in result.findings] == ["file:9:7"]


def test_the_field_decides_what_a_scalar_means():
    variables = "{A: no, B: 0777, C: 12:30:00, D: 1.10, E: 2, F: true, G: '', H: 1e3}"
    environment = job(f"environment: {variables}").environment
    assert environment == {
        "A": "no", "B": "0777", "C": "12:30:00", "D": "1.10", "E": "2", "F": "true", "G": "",
        "H": "1e3",
    }  # fmt: skip
    assert {type(value) for value in environment.values()} == {str}


@pytest.mark.parametrize("nothing", ["", "~", "null"])
def test_nothing_leaves_a_key_out(nothing):
    for key in ("preparation", "timeLimit", "container", "cluster", "priority"):
        assert job(f"{key}: {nothing}") == job("environment: {}")
    disks = "disks: {count: 1, size: 1g, type: standard}"
    server = f"{{vmSize: A, {disks}, user: {{name: a, password: env:P}}, allowIps: {nothing}}}"
    result = load(f"spec:\n  fileServers:\n    f: {server}\n")
    assert result.findings == ()
    assert result.specs[0].model.spec.file_servers["f"].allow_ips is None


@pytest.mark.parametrize(
    "line",
    [
        *("mounts: null", "environment: ~", "secrets: ", "inputs: null", "outputs: null"),
        *("environment: {X: }", "mounts: {x: ~}", "secrets: {X: null}", "inputs: {X: null}"),
    ],
)
def test_mappings_of_names_and_their_entries_are_something(line):
    (finding,) = load(f"spec:\n  jobs:\n{JOB}      {line}\n").findings
    assert "found nothing" in finding.message


def test_short_forms():
    loaded = job("outputs: {M: /x}\n      container: image\n      mounts: {d: azureFile:s}")
    assert loaded.outputs["M"].path == "/x"
    assert loaded.container.image == "image"
    assert loaded.mounts["d"].azure_file.share == "s"


@pytest.mark.parametrize(
    ("written", "ref"),
    [
        ("env:A", SecretRef("env", "A")),
        ("file:/run/a:b", SecretRef("file", "/run/a:b")),
        ("{env: A}", SecretRef("env", "A")),
        ("{keyVault: {vault: v, url: u}}", KeyVaultRef("v", "u")),
    ],
)
def test_secrets(written, ref):
    assert job(f"secrets: {{S: {written}}}").secrets["S"] == ref


def test_snake_case_is_for_python_only():
    [finding] = load("spec: {storage_account: acc}\n").findings
    assert (finding.code, finding.hint) == ("BAI201", "did you mean storageAccount?")
    assert Experiment.model_validate(
        {"api_version": "bai/v1", "kind": "Experiment", "metadata": {"name": "e"}, "spec": {}}
    )


def test_models_made_in_python_keep_the_same_rules():
    with pytest.raises(ValidationError, match="no toolkit"):
        Experiment.model_validate(
            {
                "apiVersion": "bai/v1",
                "kind": "Experiment",
                "metadata": {"name": "e"},
                "spec": {"jobs": {"j": {"nodeCount": 1, "logs": "/x"}}},
            }
        )


def test_what_can_not_be_read_is_not_complained_of_twice():
    result = load(f"spec:\n  jobs:\n{JOB}      timeLimit: !x soon\n      priority: *high\n")
    assert [finding.code for finding in result.findings] == ["BAI105", "BAI106"]


def test_findings_are_sorted_and_said_once():
    line = "x: &x {nodeCount: one, logs: /x, custom: {}}"
    result = load(f"spec:\n  jobs:\n    {line}\n    y: *x\n    z: *x\n  w: 1\n")
    assert [finding.code for finding in result.findings] == ["BAI203", "BAI202", "BAI201"]


def hints(spec):
    return [finding.hint for finding in load(spec).findings if finding.code == "BAI201"]


def test_unknown_keys_lead_to_the_nearest_place():
    job = JOB.replace("      custom: {command: ls}\n", "")
    spec = f"spec:\n  jobs:\n{job}      processCount: 2\n      targetNodeCount: 2\n"
    first = "it belongs in spec.jobs.j.horovod or spec.jobs.j.pyTorch or spec.jobs.j.customMpi"
    assert hints(spec) == [
        f"{first}. The rest is checked once this is fixed",
        "its name is scale, and it belongs in spec.clusters.NAME",
    ]


@pytest.mark.parametrize("toolkit", ["horovd", "horovodSettings", "horovod"])
def test_a_misspelt_toolkit_counts_as_the_one_that_is_meant(toolkit):
    job = JOB.replace("custom: {command: ls}", f"{toolkit}: {{script: a.py}}")
    assert hints(f"spec:\n  jobs:\n{job}      processCount: 2\n")[-1] == (
        "it belongs in spec.jobs.j.horovod"
    )


def test_unknown_keys_lead_to_the_toolkit_of_the_job():
    toolkits = "horovod, pyTorch, customMpi and others"
    spec = f"spec:\n  jobs:\n{JOB}"
    assert hints(f"{spec}      processCount: 2\n      workerCuont: 2\n") == [
        f"leave it out: processCount is for {toolkits}, and the job's toolkit is custom",
        (
            "did you mean workerCount? It is for tensorFlow, and the job's toolkit is custom: "
            "leave it out"
        ),
    ]
    spec = spec.replace("custom: {command: ls}", "chainer: {script: /train.py}")
    assert hints(f"{spec}      processCount: 2\n") == ["it belongs in spec.jobs.j.chainer"]


def test_homes():
    assert ("spec", "jobs", "NAME", "horovod") in homes("processCount", Experiment)
    assert homes("apiVersion", Experiment) == ((),)
    assert homes("nothing", Experiment) == ()


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("time: 2h", "did you mean timeLimit?"),
        ("node: 2", "its name here is nodeCount"),
        ("nodes: 2", "its name here is nodeCount"),
        ("noodles: 2", "valid here: "),
    ],
)
def test_an_unknown_key_is_taken_for_the_key_that_begins_with_it(key, hint):
    found = load(f"spec:\n  jobs:\n    j:\n      {key}\n").findings
    [unknown] = [finding for finding in found if finding.code == "BAI201"]
    assert unknown.hint.startswith(hint)


@pytest.mark.parametrize(
    ("job", "hint"),
    [
        ("gpus: 2", "did you mean processesPerNode (in a toolkit) or vmSize (in a cluster)?"),
        (
            "gpus: 2\n      horovod: {script: x}",
            "did you mean processesPerNode (in horovod) or vmSize (in a cluster)?",
        ),
        ("gpus: 2\n      custom: {command: x}", "did you mean vmSize (in a cluster)?"),
        (
            "horovod: {script: x, gpus: 2}",
            "did you mean processesPerNode or vmSize (in a cluster)?",
        ),
        ("instanceType: S", "did you mean vmSize (in a cluster)?"),
    ],
)
def test_an_unknown_key_leads_to_those_that_say_it_in_another_way(job, hint):
    found = load(f"spec:\n  jobs:\n    j:\n      {job}\n").findings
    assert [each.hint for each in found if each.code == "BAI201"] == [hint]


@pytest.mark.parametrize(
    ("spec", "path", "number"),
    [
        ("jobs: {j: {horovod: {script: x}, qqqq: 1}}", "job", len(fields(Job))),
        ("clusters: {c: {scale: 1, qqqq: 1}}", "cluster", len(fields(Cluster))),
        ("clusters: {c: {scale: 1, user: {qqqq: 1}}}", None, 3),
        ("jobs: {j: {tensorFlow: {qqqq: 1}}}", "job.tensorFlow", len(fields(TensorFlow))),
        ("jobs: {j: {mounts: {a/b: {azureFile: {qqqq: 1}}}}}", "job.mounts.azureFile", 6),
    ],
)
def test_of_many_valid_keys_a_few_are_listed_and_where_to_see_all(spec, path, number):
    found = load(f"spec: {{{spec}}}\n").findings
    [hint] = [each.hint for each in found if each.code == "BAI201"]
    listed, _, rest = hint.removesuffix(". The rest is checked once this is fixed").partition(";")
    names = listed.removeprefix("valid here: ").split(", ")
    assert len(names) == min(number, 5)
    assert rest == (f" `bai explain {path}` lists all {number}" if path else "")
    if path:
        assert {child.name for child in explain(path).children} >= set(names)
        assert len(explain(path).children) == number
