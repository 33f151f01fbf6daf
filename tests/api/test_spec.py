"""Specs that are written in Python: `bai.spec`."""

import copy
import inspect
import pickle
import subprocess
import sys
import traceback
from fractions import Fraction
from pathlib import Path

import pytest

import bai
from bai import spec
from bai.runtime.errors import MissingFileError, NotFoundError, StorageError
from bai.spec_values import CLASSES


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BAI_CONTEXT", raising=False)
    monkeypatch.delenv("AZURE_BATCHAI_STORAGE_ACCOUNT", raising=False)
    return tmp_path


def hello(**job):
    """Return an experiment with one job."""
    job = {"custom": spec.Custom(command="echo hello")} | job
    return spec.Experiment(metadata=spec.Metadata(name="hello"), jobs={"hello": spec.Job(**job)})


def findings(written):
    return [str(finding) for finding in bai.load(written).findings]


def test_a_spec_is_written_as_a_person_would_write_it():
    written = spec.Experiment(
        metadata=spec.Metadata(name="digits", tags={"team": "vision", "year": 2018}),
        parameters={
            "lr": 0.1,
            "nodes": spec.Parameter(default=2, max=8),
            "model": spec.Parameter(choices=["a", "b"], default="a"),
        },
        storage_account="visiondata",
        clusters={"gpu": spec.Cluster(vm_size="STANDARD_NC12", scale=spec.parameter("nodes"))},
        jobs={
            "train": spec.Job(
                node_count=spec.parameter("nodes"),
                code=".",
                mounts={"data": "azureFile:data"},
                environment={"SEED": 7, "FLAG": True, "MODE": "0777", "ANSWER": "no"},
                secrets={"TOKEN": "env:TOKEN"},
                horovod=spec.Horovod(
                    script="train.py",
                    args=["--lr", spec.parameter("lr"), "--model", f"x-{spec.parameter('model')}"],
                    processes_per_node=2,
                ),
            )
        },
    )
    assert (
        written.to_yaml()
        == """\
apiVersion: bai/v1
kind: Experiment
metadata:
  name: digits
  tags:
    team: vision
    year: 2018
spec:
  parameters:
    lr: 0.1
    nodes:
      default: 2
      max: 8
    model:
      choices:
      - a
      - b
      default: a
  storageAccount: visiondata
  clusters:
    gpu:
      vmSize: STANDARD_NC12
      scale: ${parameters.nodes}
  jobs:
    train:
      nodeCount: ${parameters.nodes}
      code: .
      mounts:
        data: azureFile:data
      environment:
        SEED: 7
        FLAG: true
        MODE: '0777'
        ANSWER: 'no'
      secrets:
        TOKEN: env:TOKEN
      horovod:
        script: train.py
        args:
        - --lr
        - ${parameters.lr}
        - --model
        - x-${parameters.model}
        processesPerNode: 2
"""
    )
    assert findings(written) == []


def test_a_loaded_spec_can_be_changed(here):
    (here / "specs").mkdir()
    path = here / "specs/experiment.yaml"
    path.write_text(hello().to_yaml() + "# a comment\n")
    written = spec.Experiment.read("specs/experiment.yaml")
    job = written.jobs["hello"]
    assert (job.node_count, job.horovod, job.custom.command) == (1, None, "echo hello")
    job.node_count = 2
    job.environment["SEED"] = 1
    written.jobs["again"] = copy.deepcopy(job)
    written.jobs["again"].environment["SEED"] = 2
    written.clusters = {"pair": spec.Cluster(scale=2)}
    [compilation] = bai.load(written).check().compile()
    wires = {r.id.label: r.to_wire()["properties"] for r in compilation.resources[2:]}
    assert wires["cluster/pair"]["scaleSettings"] == {"manual": {"targetNodeCount": 2}}
    for name, seed in (("hello", "1"), ("again", "2")):
        job = wires[f"job/{name}"]
        assert job["nodeCount"] == 2
        assert {"name": "SEED", "value": seed} in job["environmentVariables"]
    # The file is as it was.
    assert "nodeCount" not in path.read_text()


def test_relative_paths_start_from_the_folder_of_the_file_or_the_given_one(here):
    (here / "a/code").mkdir(parents=True)
    (here / "a/code/hello.py").write_text("")
    hello(code="code").write("a/e.yaml")
    assert findings(spec.Experiment.read("a/e.yaml")) == []
    assert [each.split()[1] for each in findings(hello(code="code"))] == ["BAI521"]
    there = hello(code="code")
    there.folder = here / "a"
    assert findings(there) == []
    assert "folder" not in there.to_yaml()


def test_findings_are_those_of_the_text_that_it_is_written_as():
    written = hello(node_count="two", horovod=spec.Horovod(script="train.py"))
    experiment = bai.load(written)
    text = written.to_yaml()
    assert experiment.texts == {"<spec>": text}
    own, others = experiment.findings, bai.loads(text).findings
    assert [f.replaced(span=f.span._replace(file="<string>")) for f in own] == [*others]
    assert [(f.code, str(f.span)) for f in own] == [
        ("BAI203", "<spec>:10:18"),
        ("BAI701", "<spec>:11:7"),
    ]
    with pytest.raises(bai.FindingsError, match="<spec>:10:18: BAI203 nodeCount: expected a whole"):
        experiment.apply()
    linted = hello(environment={"BAI_CODE": "x"})
    assert [f.span.file for f in bai.load(linted).lint()] == ["<spec>"]


def test_several_specs_are_loaded_together():
    cluster = spec.ClusterDocument(metadata=spec.MachineMetadata(name="pair"), scale=2)
    experiment = bai.load(hello(cluster="pair"), cluster)
    assert experiment.findings == ()
    assert [*experiment.texts] == ["<spec>", "<spec 2>"]
    [*_, last] = [r.id.label for each in experiment.compile() for r in each.resources]
    assert last == "cluster/pair"


def test_a_spec_runs_with_parameters_of_its_own(here):
    written = hello(code=".", custom=spec.Custom(command=f"python hello.py {spec.parameter('n')}"))
    written.parameters["n"] = 1
    (here / "hello.py").write_text("import sys\nprint('hello', sys.argv[1])\n")
    job = bai.load(written).with_parameters(n=2).apply().jobs["hello"]
    assert job.wait(60).state.value == "succeeded"
    assert "hello 2" in [line.text for line in job.logs()]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: spec.Horovod(script="a", processes_per_nod=2),
            "Horovod has no processes_per_nod (did you mean processes_per_node?)",
        ),
        (
            lambda: spec.Horovod(script="a", processesPerNode=2),
            "Horovod has no processesPerNode (did you mean processes_per_node?)",
        ),
        (lambda: spec.Horovod(args="a"), "Horovod needs script"),
        (lambda: spec.Horovod(script=None), "Horovod needs script"),
        (lambda: spec.Job(nodes=2), "Job has no nodes (its name here is node_count)"),
        (
            lambda: spec.Job(script="train.py"),
            "Job has no script (it belongs in Horovod or PyTorch or TensorFlow)",
        ),
        (
            lambda: spec.Horovod(script="a", gpus=2),
            "Horovod has no gpus (did you mean processes_per_node?)",
        ),
        (
            lambda: spec.Unmanaged(command="a", beauty=2),
            "Unmanaged has no beauty (valid here: command)",
        ),
        (lambda: spec.Experiment(name="a"), "Experiment has no name (it belongs in Metadata)"),
        (
            lambda: spec.Experiment(spec={}),
            "Experiment has no spec (what is below `spec` in YAML stands right here: jobs={...})",
        ),
        (
            lambda: spec.Job(horovod=spec.PyTorch(script="a")),
            "Job.horovod: expected a Horovod, not a PyTorch",
        ),
        (lambda: spec.Job(horovod={"script": "a"}), "Job.horovod: expected a Horovod, not a dict"),
        (lambda: spec.Job(environment=["A=1"]), "Job.environment: expected a mapping, not a list"),
        (
            lambda: spec.Job(environment={1: "a"}),
            "Job.environment: a name must be a str, not 1",
        ),
        (
            lambda: spec.Job(code=Path()),
            "Job.code: PosixPath can't stand in a spec (write str(...) of a path)",
        ),
        (
            lambda: spec.Custom(command=["a", b"b"]),
            "Custom.command[1]: bytes can't stand in a spec",
        ),
        (
            lambda: setattr(spec.Job(), "nodecount", 2),
            "Job has no nodecount (did you mean node_count?)",
        ),
        (
            lambda: setattr(spec.Job(), "container", spec.Custom(command="a")),
            "Job.container: expected a Container, not a Custom",
        ),
        (
            lambda: bai.load(spec.Job()),
            "a path must be a str or an os.PathLike, such as pathlib.Path, not Job",
        ),
    ],
)
def test_what_no_spec_could_say_is_refused_where_it_is_written(make, message):
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value) == message


def test_what_is_put_into_a_mapping_later_is_checked_when_it_is_written():
    written = hello()
    written.jobs["other"] = spec.Custom(command="a")
    with pytest.raises(
        TypeError, match=r"Experiment.jobs\['other'\]: expected a Job, not a Custom"
    ):
        bai.load(written)


def test_numbers_of_other_packages_are_numbers_and_infinite_ones_are_none():
    written = hello(environment={"A": Fraction(1, 2)})
    assert "A: 0.5\n" in written.to_yaml()
    with pytest.raises(ValueError, match=r"Job.environment\['A'\]: expected a finite number"):
        hello(environment={"A": float("nan")})


def test_a_secret_in_plain_text_is_refused_and_shown_nowhere():
    def shown(make):
        with pytest.raises(ValueError, match="expected a reference to a secret") as caught:
            make("hun" + "ter2")
        error = caught.value
        # What the caller has is in the first frames.
        frames = traceback.walk_tb(error.__traceback__)
        own = [each for each in frames if "bai" in each[0].f_globals["__name__"]]
        assert own
        report = traceback.StackSummary.extract(iter(own), capture_locals=True)
        return "".join(report.format()) + repr(error)

    written = hello(secrets={"TOKEN": "env:TOKEN"})

    def put(secret):
        written.jobs["hello"].secrets["TOKEN"] = secret
        written.to_yaml()

    for make in (
        lambda secret: spec.User(name="a", password=secret),
        lambda secret: spec.Job(secrets={"TOKEN": secret}),
        lambda secret: setattr(written, "storage_key", secret),
        put,
    ):
        assert "hunter2" not in shown(make)
    assert "hunter2" not in repr(written) + repr(written.jobs)
    assert repr(written) == "<Experiment: metadata, jobs>"


def test_a_reference_to_a_secret_may_be_one_to_a_parameter():
    assert spec.User(name="a", password=spec.parameter("password")).password == (
        "${parameters.password}"
    )
    vault = spec.Secret(key_vault=spec.KeyVaultSecret(vault="/v", url="https://v"))
    written = hello(secrets={"TOKEN": vault})
    assert spec.Experiment.from_yaml(written.to_yaml()) == written


def test_what_a_file_says_to_people_only_is_not_read():
    text = hello().to_yaml()
    noted = text.replace("spec:\n", "x-job: &job {}\nspec:\n  x-own: 1  # for us\n")
    assert spec.Experiment.from_yaml(noted).to_yaml() == text


def test_a_mapping_that_was_only_looked_at_is_not_written():
    written = hello()
    assert written.jobs["hello"].environment == {}
    assert written.to_yaml() == hello().to_yaml()
    assert written == hello()


def test_only_the_spec_of_the_kind_is_read(here):
    cluster = spec.ClusterDocument(metadata=spec.MachineMetadata(name="pair"), scale=2)
    both = here / "both.yaml"
    both.write_text(f"{hello().to_yaml()}---\n{cluster.to_yaml()}")
    assert spec.Experiment.read(both) == hello()
    assert spec.ClusterDocument.read(both) == cluster
    with pytest.raises(NotFoundError, match="has no document of kind Workspace, where one is"):
        spec.Workspace.read(both)
    both.write_text(f"{hello().to_yaml()}---\n{hello().to_yaml()}")
    with pytest.raises(NotFoundError, match="has 2 documents of kind Experiment, where one is"):
        spec.Experiment.read(both)


def test_files_that_cannot_be_read_or_written_are_errors(here):
    with pytest.raises(MissingFileError, match=r"there is no file no\.yaml"):
        spec.Experiment.read("no.yaml")
    (here / "wrong.yaml").write_text(hello().to_yaml().replace("custom", "kustom"))
    with pytest.raises(bai.FindingsError, match=r"wrong\.yaml:8:7: BAI201"):
        spec.Experiment.read("wrong.yaml")
    with pytest.raises(TypeError, match="read takes the path of a file"):
        spec.Experiment.from_yaml(here)
    with pytest.raises(StorageError, match=r"can't write no/e\.yaml: No such file or directory"):
        hello().write("no/e.yaml")


def test_parts_are_values():
    assert hello() == hello()
    assert hello(node_count=2) != hello()
    assert spec.Custom(command="a") != spec.CustomMpi(command="a")
    assert copy.deepcopy(hello()) == pickle.loads(pickle.dumps(hello())) == hello()
    with pytest.raises(TypeError, match="unhashable"):
        hash(hello())


def test_no_key_is_called_as_something_that_every_part_has():
    others = {*dir(spec.Document)} - {"folder"}
    keys = {name for each in CLASSES.values() for name in each._fields}
    assert keys & others == set()


def test_every_part_shows_its_keys_in_help_and_completion():
    signature = inspect.signature(spec.Horovod)
    assert str(signature.parameters["script"]) == "script: 'str'"
    assert signature.parameters["args"].default is None
    assert [*inspect.signature(spec.Workspace).parameters] == ["metadata", "folder"]


def test_the_models_are_not_imported_with_bai():
    script = "import sys, bai\nprint(*sys.modules)\nprint(bai.spec.Job.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    modules, name = done.stdout.splitlines()
    assert name == "Job"
    assert {"pydantic", "bai.spec"}.isdisjoint(modules.split())
