"""Realistic job files of about 75 lines, all different and all correct."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

SEED = 20180501
"""Every run writes the same files."""
SCHEMA = "https://raw.githubusercontent.com/Azure/BatchAI/master/schemas/2018-05-01/job.json"
VAULT = (
    "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/lab"
    "/providers/Microsoft.KeyVault/vaults/keys"
)
MODELS = ("resnet50", "resnet101", "inception3", "vgg16", "alexnet", "googlenet", "lenet")
DATA = ("imagenet", "mnist", "cifar10", "coco", "squad", "movielens", "librispeech")
IMAGES = (
    "tensorflow/tensorflow:1.8.0-gpu",
    "pytorch/pytorch:0.4-cuda9-cudnn7-devel",
    "lab.azurecr.io/team/trainer:2018.5.1",
)


def write_yaml(folder: Path, count: int) -> None:
    """Write job files as YAML, 100 in a folder."""
    dump = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    for path, job in _jobs(folder, count, "yaml"):
        path.write_text(yaml.dump(job, Dumper=dump, sort_keys=False, width=100))


def write_json(folder: Path, count: int) -> None:
    """Write the same as JSON."""
    for path, job in _jobs(folder, count, "json"):
        path.write_text(json.dumps(job, indent=4) + "\n")


def _jobs(folder: Path, count: int, suffix: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    random_ = random.Random(SEED)
    for number in range(count):
        below = folder / f"{number // 100:03}"
        if number % 100 == 0:
            below.mkdir(parents=True)
        yield below / f"{number:05}.{suffix}", _job(random_)


def _job(random_: random.Random) -> dict[str, Any]:
    nodes = random_.choice((1, 2, 4, 8))
    account = f"lab{random_.randrange(10**6):06}"
    model, data = random_.choice(MODELS), random_.choice(DATA)
    mounted = "$AZ_BATCHAI_JOB_MOUNT_ROOT"
    image = {"image": random_.choice(IMAGES)}
    if "azurecr" in image["image"]:
        image = {
            "serverUrl": "lab.azurecr.io",
            **image,
            "credentials": {
                "username": "lab",
                "passwordSecretReference": {
                    "sourceVault": {"id": VAULT},
                    "secretUrl": "https://keys.vault.azure.net/secrets/registry",
                },
            },
        }
    return {
        "$schema": SCHEMA,
        "properties": {
            "schedulingPriority": random_.choice(("low", "normal", "high")),
            "nodeCount": nodes,
            "containerSettings": {"imageSourceRegistry": image, "shmSize": "8g"},
            **_toolkit(random_, nodes, model),
            "jobPreparation": {
                "commandLine": 'pip install -r "$AZ_BATCHAI_INPUT_SCRIPTS/requirements.txt"'
            },
            "stdOutErrPathPrefix": f"{mounted}/results",
            "mountVolumes": {
                "azureFileShares": [_share(account, name) for name in ("scripts", "results")],
                "azureBlobFileSystems": [
                    {
                        "accountName": account,
                        "containerName": data,
                        "credentials": _credentials(account),
                        "relativeMountPath": "data",
                    }
                ],
            },
            "inputDirectories": [
                {"id": "SCRIPTS", "path": f"{mounted}/scripts/{model}"},
                {"id": "DATA", "path": f"{mounted}/data/{data}/train"},
                {"id": "VALIDATION", "path": f"{mounted}/data/{data}/validation"},
            ],
            "outputDirectories": [
                {"id": "MODEL", "pathPrefix": f"{mounted}/results", "pathSuffix": model}
            ],
            "environmentVariables": [
                {"name": "OMP_NUM_THREADS", "value": str(random_.choice((1, 2, 4)))},
                {"name": "NCCL_DEBUG", "value": random_.choice(("INFO", "WARN"))},
                {"name": "NCCL_SOCKET_IFNAME", "value": "eth0"},
                {"name": "HOROVOD_CYCLE_TIME", "value": str(random_.choice((1, 5, 10)))},
                {"name": "TRACKING_URL", "value": f"https://tracking.example.com/{data}"},
            ],
            "secrets": [
                {
                    "name": "TRACKING_TOKEN",
                    "valueSecretReference": {
                        "sourceVault": {"id": VAULT},
                        "secretUrl": "https://keys.vault.azure.net/secrets/tracking",
                    },
                }
            ],
            "constraints": {"maxWallClockTime": f"PT{random_.randrange(1, 24)}H"},
        },
    }


def _share(account: str, name: str) -> dict[str, Any]:
    return {
        "accountName": account,
        "azureFileUrl": f"https://{account}.file.core.windows.net/{name}",
        "credentials": _credentials(account),
        "relativeMountPath": name,
    }


def _credentials(account: str) -> dict[str, Any]:
    return {
        "accountKeySecretReference": {
            "sourceVault": {"id": VAULT},
            "secretUrl": f"https://keys.vault.azure.net/secrets/{account}",
        }
    }


def _toolkit(random_: random.Random, nodes: int, model: str) -> dict[str, Any]:
    script = "$AZ_BATCHAI_INPUT_SCRIPTS/train.py"
    rate = random_.choice((0.1, 0.05, 0.01))
    arguments = (
        f"--model {model} --lr {rate} --epochs {random_.randrange(1, 91)} "
        "--data $AZ_BATCHAI_INPUT_DATA --validation $AZ_BATCHAI_INPUT_VALIDATION "
        "--out $AZ_BATCHAI_OUTPUT_MODEL"
    )
    python = {"pythonScriptFilePath": script, "commandLineArgs": arguments}
    kind = random_.choice(("horovod", "pyTorch", "customToolkit"))
    if kind == "horovod":
        return {"horovodSettings": {**python, "processCount": nodes * random_.choice((1, 2, 4))}}
    if kind == "pyTorch":
        return {"pyTorchSettings": {**python, "communicationBackend": "gloo"}}
    return {"customToolkitSettings": {"commandLine": f"python {script} {arguments}"}}
