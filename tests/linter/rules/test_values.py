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


def limit(text):
    return codes(JOB | {"constraints": {"maxWallClockTime": text}})


@pytest.mark.parametrize("text", ["P7D", "P1W", "PT168H", "P1DT12H", "PT1.5H", "PT0,5S", "P0DT1S"])
def test_time_limits_in_all_forms_of_iso_8601(text):
    assert limit(text) == []


@pytest.mark.parametrize("text", ["P8D", "P1M", "PT0S", "P", "PT", "P1DT", "1d", "01:00:00", ""])
def test_what_is_no_time_limit(text):
    assert limit(text) == ["BAI306"]


@pytest.mark.parametrize(
    "image", ["a:1", "a@sha256:00", "host:5000/a:1", "host/a:1", "a:$TAG", "<image>"]
)
def test_images_that_name_a_version(image):
    assert codes(JOB | {"containerSettings": {"imageSourceRegistry": {"image": image}}}) == []


@pytest.mark.parametrize("image", ["a", "a:latest", "host:5000/a"])
def test_images_that_name_none(image):
    container = {"containerSettings": {"imageSourceRegistry": {"image": image}}}
    assert codes(JOB | container) == ["BAI312"]


@pytest.mark.parametrize(
    "size",
    [
        *("standard_nc6", "Standard_NC24rs_v3", "Standard_D2as_v4", "Standard_NC4as_T4_v3"),
        *("Standard_D15i_v2", "Standard_NC6_Promo", "Standard_D48_v3", "Standard_ND40rs_v2"),
        *("Standard_HB120rs_v3", "Standard_E2_v9", "Basic_A1", "SIZE", "S"),
    ],
)
def test_sizes_that_are_right_or_unknown(size):
    assert codes(CLUSTER | {"vmSize": size}) == []


@pytest.mark.parametrize("size", ["NC6", "STANDARD-NC6", "Standard NC6", "STANDARD_CN6", "nc6_"])
def test_sizes_that_are_misspelt(size):
    assert codes(CLUSTER | {"vmSize": size}) == ["BAI313"]


@pytest.mark.parametrize(
    ("size", "near"),
    [
        ("Standard_D2_v22", "Standard_D2_v2"),
        ("Standard_D2_v20", "Standard_D2_v2"),
        ("STANDARD_NC8", "Standard_NC6"),
        ("Standard_NC6_v3", "Standard_NC6s_v3"),
        ("Standard_D2s_v2", "Standard_DS2_v2"),
        ("Standard_NC24r_v4_v2", None),
        ("STANDARD_XY7_V99999999", None),
    ],
)
def test_sizes_that_never_were(size, near):
    content = json.dumps({"properties": CLUSTER | {"vmSize": size}}).encode()
    found = list(lint(content, "file.json", "/project", LintEnvironment()))
    expected = [("BAI313", f"there is no size '{size}'", f"did you mean {near}?")]
    assert [(f.code, f.message, f.hint) for f in found] == (expected if near else [])


@pytest.mark.parametrize("size", ["STANDARD_A0", "standard_ds11-1_v2", "Standard_GS4"])
def test_sizes_that_no_cluster_has(size):
    assert codes(CLUSTER | {"vmSize": size}) == ["BAI314"]


def hints(properties):
    content = json.dumps({"properties": properties}).encode()
    return [finding.hint for finding in lint(content, "file.json", "/project", LintEnvironment())]


def test_another_size_is_named_where_one_is_alike():
    assert hints(CLUSTER | {"vmSize": "Standard_GS4"}) == [
        "Standard_G4 has the same cores and memory"
    ]
    assert hints(CLUSTER | {"vmSize": "STANDARD_A0"}) == ["choose another one"]


@pytest.mark.parametrize(
    "image",
    [
        {"publisher": "OpenLogic", "offer": "CentOS", "sku": "7.4"},
        {"publisher": "microsoftwindowsserver", "offer": "WindowsServer", "sku": "2016-Datacenter"},
    ],
)
def test_images_of_another_system(image):
    assert codes(CLUSTER | {"virtualMachineConfiguration": {"imageReference": image}}) == ["BAI330"]


@pytest.mark.parametrize(
    "image",
    [
        {"publisher": "Canonical", "offer": "UbuntuServer", "sku": "18.04-LTS"},
        {"publisher": "microsoft-dsvm", "offer": "linux-data-science-vm-ubuntu", "sku": "s"},
        {"publisher": "<publisher>", "offer": "<offer>", "sku": "<sku>"},
    ],
)
def test_images_that_are_or_may_be_of_ubuntu(image):
    assert codes(CLUSTER | {"virtualMachineConfiguration": {"imageReference": image}}) == []


@pytest.mark.parametrize(("nodes", "found"), [(100, []), (101, ["BAI808"]), (2**31, ["BAI303"])])
def test_a_job_is_not_larger_than_any_cluster(nodes, found):
    assert codes(JOB | {"nodeCount": nodes}) == found


@pytest.mark.parametrize("path", ["../share", "/share", ".."])
def test_a_mount_outside_of_its_root_is_all_that_is_told(path):
    volume = {
        "azureFileUrl": "https://lab.file.core.windows.net/share",
        "accountName": "lab",
        "credentials": {"accountKey": "<AZURE_BATCHAI_STORAGE_KEY>"},
        "relativeMountPath": path,
    }
    logs = {"stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/share"}
    assert codes(JOB | logs | {"mountVolumes": {"azureFileShares": [volume]}}) == ["BAI502"]


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


@pytest.mark.parametrize("version", ["2017-09-01-preview", "2018-03-01"])
@pytest.mark.parametrize(
    ("stem", "properties"), [("mpi", JOB), ("cluster", CLUSTER), ("nfs", SERVER)]
)
def test_files_of_older_versions_are_recognised(version, stem, properties):
    address = "https://raw.githubusercontent.com/Azure/BatchAI/master/schemas/{}/{}.json"
    data = {"$schema": address.format(version, stem), "properties": properties}
    [finding] = lint(json.dumps(data).encode(), "file.json", "/project", LintEnvironment())
    assert (finding.code, finding.severity) == ("BAI210", "warning")
    assert address.format("2018-05-01", stem) in finding.hint
