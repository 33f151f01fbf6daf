"""The published job files, each from a compact spec in examples/."""

import json
from pathlib import Path

import pytest
from compiling import compile_spec
from loading import load_file

from bai.compiler.compilation import Defaults
from bai.compiler.resources.ids import Kind
from bai.schemas.validators import validate

EXAMPLES = Path(__file__).parents[2] / "examples"
SEEDS = Path(__file__).parent / "seeds"
ACCOUNT = "<AZURE_BATCHAI_STORAGE_ACCOUNT>"
CREDENTIALS = {"accountKey": "<AZURE_BATCHAI_STORAGE_KEY>"}
WORKSPACES = (
    "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/{}"
    "/providers/Microsoft.BatchAI/workspaces/{}"
)


def compile_example(name):
    seed = EXAMPLES / name / "seed.yaml"
    loaded = load_file(seed if seed.exists() else seed.with_name("experiment.yaml"))
    assert loaded.findings == ()
    [spec] = loaded.specs
    compilation = compile_spec(spec, Defaults())
    assert compilation.findings == ()
    return compilation


def as_published(name, workspace, cluster):
    """Return the published job file with what the old command line added before it sent it."""
    wire = json.loads((SEEDS / f"{name}.job.json").read_text())
    del wire["$schema"]
    wire["properties"]["cluster"] = {"id": f"{workspace}/clusters/{cluster}"}
    return wire


def test_the_benchmark_is_the_published_job():
    compilation = compile_example("horovod-benchmark")
    workspace = WORKSPACES.format("batchai.recipes", "recipe_workspace")
    wire = as_published("horovod-benchmark", workspace, "nc24r")
    for share in wire["properties"]["mountVolumes"]["azureFileShares"]:
        share |= {"accountName": ACCOUNT, "credentials": CREDENTIALS}
    wire["properties"]["horovodSettings"]["processCount"] = 8
    [job] = compilation.of_kind(Kind.JOB)
    assert job.to_wire() == wire
    assert str(job.id) == f"{workspace}/experiments/horovod_experiment/jobs/horovod_benchmark"
    [cluster] = compilation.of_kind(Kind.CLUSTER)
    assert cluster.to_wire() == {
        "properties": {
            "vmSize": "STANDARD_NC24r",
            "scaleSettings": {"manual": {"targetNodeCount": 2}},
        }
    }
    [space] = compilation.of_kind(Kind.WORKSPACE)
    assert space.to_wire() == {"location": "eastus"}


def test_the_tutorial_is_the_published_job():
    compilation = compile_example("cifar10")
    workspace = WORKSPACES.format("batchai.horovod", "batchaidev")
    [job] = compilation.of_kind(Kind.JOB)
    assert job.to_wire() == as_published("cifar10", workspace, "nc6cluster")
    assert str(job.id) == f"{workspace}/experiments/cifar/jobs/cifar_distributed"
    [cluster] = compilation.of_kind(Kind.CLUSTER)
    mounts = cluster.to_wire()["properties"]["nodeSetup"]["mountVolumes"]
    assert mounts == {
        "azureFileShares": [
            {
                "accountName": ACCOUNT,
                "azureFileUrl": f"https://{ACCOUNT}.file.core.windows.net/batchaishare",
                "credentials": CREDENTIALS,
                "relativeMountPath": "autoafs",
            }
        ],
        "azureBlobFileSystems": [
            {
                "accountName": ACCOUNT,
                "containerName": "batchaicontainer",
                "credentials": CREDENTIALS,
                "relativeMountPath": "autobfs",
            }
        ],
    }


def test_the_benchmark_is_compact():
    lines = (EXAMPLES / "horovod-benchmark" / "seed.yaml").read_text().splitlines()
    assert len(lines) <= 25


@pytest.mark.parametrize("name", ["horovod-benchmark", "cifar10"])
def test_the_examples_pass_the_published_schema(name):
    [job] = compile_example(name).of_kind(Kind.JOB)
    assert validate("job", job.to_wire()) == ()
