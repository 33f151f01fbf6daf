"""What the files do not say is called like the files, or like their folders."""

import json

import pytest
from compiling import review
from loading import load_text

from bai.compiler.importer.importer import import_files
from bai.compiler.importer.names import ImportNames
from bai.compiler.resources.ids import NAME, Kind
from bai.specs.syntax.reader import read

JOB = {
    "nodeCount": 1,
    "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_TEMP",
    "customToolkitSettings": {"commandLine": "true"},
}
CLUSTER = {"vmSize": "STANDARD_D2_V2", "scaleSettings": {"manual": {"targetNodeCount": 1}}}


def imported(*files, names=None, folder="/data"):
    documents = []
    for file in files:
        found, _ = read(json.dumps({"properties": CLUSTER if "cluster" in file else JOB}), file)
        documents += found
    result = import_files(documents, names or ImportNames(), review, folder)
    [spec] = load_text(result.text, "spec.yaml", "/nowhere").specs
    return spec.model


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("recipes/Horovod-Tensorflow/job.json", "horovod-tensorflow"),
        ("job.json", "data"),
        ("./job.json", "data"),
        ("recipes/../job.json", "data"),
        ("/other/My Recipe (v2)/job.json", "my-recipe-v2"),
        ("recipes/retinanet.json", "retinanet"),
        ("recipes/retinanet.job.json", "retinanet"),
        ("recipes/Big_Model.Job.YAML", "big_model"),
        (f"{'x' * 80}.json", "x" * 64),
        ("/job.json", None),
        ("/模型/job.json", None),
    ],
)
def test_experiment_and_job_are_called_like_the_folder_or_the_file(file, name):
    model = imported(file)
    assert model.metadata.name == (name or "experiment")
    assert list(model.spec.jobs) == [name or "job"]


def test_a_cluster_is_called_like_its_file_only():
    model = imported("a/job.json", "a/cluster.json")
    assert (list(model.spec.jobs), list(model.spec.clusters)) == (["a"], ["cluster"])
    model = imported("gpu.cluster.json", "a/job.json")
    assert (model.metadata.name, list(model.spec.clusters)) == ("a", ["gpu"])


def test_jobs_of_several_files_have_names_of_their_own():
    model = imported("a/job.json", "b/job.json", "c/a/job.json")
    assert (model.metadata.name, list(model.spec.jobs)) == ("a", ["a", "b", "a-2"])


def test_what_a_person_says_counts_more():
    names = ImportNames(experiment="mine", job="one", cluster="pool")
    model = imported("a/b.job.json", "a/gpu.cluster.json", names=names)
    assert (model.metadata.name, list(model.spec.jobs)) == ("mine", ["one"])
    assert list(model.spec.clusters) == ["pool"]


@pytest.mark.parametrize("file", ["a/-_-.json", "...json", "<stdin>", "é.json", "job", "-"])
@pytest.mark.parametrize("kind", [Kind.EXPERIMENT, Kind.JOB, Kind.CLUSTER, Kind.FILE_SERVER])
def test_names_are_valid_whatever_the_files_are_called(file, kind):
    assert NAME.fullmatch(ImportNames().of(kind, file))
