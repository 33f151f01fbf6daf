"""Values of Batch AI's files that are right, or wrong in a way that is too long for a file."""

import json

import pytest
from linting import lint

from bai.linter.environment import LintEnvironment

JOB = {
    "nodeCount": 1,
    "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/share",
    "customToolkitSettings": {"commandLine": "hostname"},
}
USER = {"adminUserName": "lab", "adminUserPassword": "<password>"}
CLUSTER = {
    "vmSize": "STANDARD_NC6",
    "scaleSettings": {"manual": {"targetNodeCount": 1}},
    "userAccountSettings": USER,
}
SERVER = {
    "vmSize": "STANDARD_DS2_V2",
    "sshConfiguration": {"userAccountSettings": USER},
    "dataDisks": {"diskCount": 1, "diskSizeInGB": 1, "storageAccountType": "Standard_LRS"},
}


def codes(properties):
    content = json.dumps({"properties": properties}).encode()
    return [finding.code for finding in lint(content, "file.json", "/project", LintEnvironment())]


def hints(properties):
    content = json.dumps({"properties": properties}).encode()
    return [finding.hint for finding in lint(content, "file.json", "/project", LintEnvironment())]


def test_another_size_is_named_where_one_is_alike():
    assert hints(CLUSTER | {"vmSize": "Standard_GS4"}) == [
        "Standard_G4 has the same cores and memory"
    ]
    assert hints(CLUSTER | {"vmSize": "STANDARD_A0"}) == ["choose another one"]


@pytest.mark.parametrize(("nodes", "found"), [(100, []), (101, ["BAI808"]), (2**31, ["BAI303"])])
def test_a_job_is_not_larger_than_any_cluster(nodes, found):
    assert codes(JOB | {"nodeCount": nodes}) == found


def test_addresses_of_a_file_server_are_counted():
    ssh = SERVER["sshConfiguration"]
    some = {"sshConfiguration": ssh | {"publicIPsToAllow": ["192.0.2.1"] * 400}}
    many = {"sshConfiguration": ssh | {"publicIPsToAllow": ["192.0.2.1"] * 401}}
    assert codes(SERVER | some) == []
    assert codes(SERVER | many) == ["BAI303"]


def test_a_file_may_have_a_comment_for_its_readers():
    data = {"comment": "2 nodes are enough", "properties": JOB}
    assert lint(json.dumps(data).encode(), "job.json", "/project", LintEnvironment()) == ()
    assert codes(JOB | {"comment": "2 nodes are enough"}) == ["BAI201"]


def test_a_file_may_be_what_the_service_answered():
    data = {"id": "/subscriptions/1", "name": "train", "properties": JOB}
    findings = lint(json.dumps(data).encode(), "job.json", "/project", LintEnvironment())
    assert [finding.code for finding in findings] == ["BAI207", "BAI207"]


def test_a_schema_of_jobs_is_no_job():
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "properties": {"nodeCount": {}},
    }
    findings = lint(json.dumps(schema).encode(), "schema.json", "/project", LintEnvironment())
    assert [finding.code for finding in findings] == ["BAI209"]
