"""Logs and outputs on a mount of a cluster that nobody shows, where the job has its own mounts."""

import json

import pytest
from linting import lint

from bai.compiler.resources.ids import Kind
from bai.linter.environment import LintEnvironment
from bai.linter.resource_view import ResourceView

SHARE = {"azureFileUrl": "https://acc.file.core.windows.net/share", "relativeMountPath": "data"}
MOUNTS = {"azureFileShares": [SHARE]}
COMMAND = {"commandLine": "true"}
LOGS = "$AZ_BATCHAI_MOUNT_ROOT/nfs/logs"
NFS = {"fileServers": [{"fileServer": {"id": "/a"}, "relativeMountPath": "nfs"}]}


def found(clusters=(), **properties):
    """Return the messages of BAI507 for a job."""
    job = {"nodeCount": 1, "customToolkitSettings": COMMAND, "mountVolumes": MOUNTS} | properties
    text = json.dumps({"properties": job})
    findings = lint(text.encode(), "job.json", "/", LintEnvironment(clusters=clusters))
    return [each.message for each in findings if each.code == "BAI507"]


def test_a_mount_that_nothing_declares():
    outputs = [{"id": "MODEL", "pathPrefix": "${AZ_BATCHAI_MOUNT_ROOT}/nfs"}]
    assert found(stdOutErrPathPrefix=LOGS, outputDirectories=outputs) == [
        "the logs would stand on the cluster's mount 'nfs', which nothing here declares",
        "the output MODEL would stand on the cluster's mount 'nfs', which nothing here declares",
    ]


@pytest.mark.parametrize(
    "properties",
    [
        {"mountVolumes": None},
        {"stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data"},
        {"stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/$NAME"},
        # BAI416 reports it.
        {"stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/data"},
    ],
)
def test_what_may_be_meant_is_left_alone(properties):
    assert found(**{"stdOutErrPathPrefix": LOGS} | properties) == []


def test_the_file_of_the_cluster_settles_it():
    wire = {"properties": {"nodeSetup": {"mountVolumes": NFS}}}
    assert found([ResourceView(Kind.CLUSTER, wire)], stdOutErrPathPrefix=LOGS) == []
