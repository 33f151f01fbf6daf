"""Values that no machine, registry or region takes."""

import json

import pytest

from bai.linter.driver.linter import Linter

CLUSTER = {
    "vmSize": "STANDARD_NC6",
    "scaleSettings": {"manual": {"targetNodeCount": 1}},
    "userAccountSettings": {"adminUserName": "me", "adminUserSshPublicKey": "ssh-rsa AAAA"},
}
SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: t, resourceGroup: g, workspace: w, location: {location}}}
spec:
  clusters:
    c: {{vmSize: STANDARD_D2_V2, scale: 1, user: {{name: me, sshKey: "{key}"}}}}
"""


def of_job(container):
    properties = {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/data",
        "containerSettings": {"imageSourceRegistry": {"image": "a/b:1"}} | container,
        "customToolkitSettings": {"commandLine": "hostname"},
    }
    text = json.dumps({"properties": properties}, indent=2)
    return [(each.code, each.hint) for each in Linter().content(text.encode(), "job.json").findings]


def of_spec(location="eastus", key="ssh-rsa AAAA me@host"):
    text = SPEC.format(location=location, key=key)
    found = Linter().content(text.encode(), "spec.yaml").findings
    return [(each.code, each.hint) for each in found]


def image(name):
    return of_job({"imageSourceRegistry": {"image": name}})


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("TensorFlow/TensorFlow:1.8.0", "tensorflow/tensorflow:1.8.0"),
        ("Ubuntu:18.04-LTS", "ubuntu:18.04-LTS"),
        ("me.azurecr.io/Train@sha256:ABC", "me.azurecr.io/train@sha256:ABC"),
        ("docker://a/b:1", "a/b:1"),
        ("https://hub.docker.com/r/a/b/", "a/b"),
        ("https://hub.docker.com/_/ubuntu", "ubuntu"),
        ("https://me.azurecr.io/a:1", "me.azurecr.io/a:1"),
    ],
)
def test_images_that_docker_refuses(name, right):
    assert image(name) == [("BAI323", f"write {right}")]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("docker run x", "write the image alone: x"),
        ("docker run --rm a/b:1 bash -c x", "write the image alone: a/b:1"),
        ("FROM a:1", "write the image alone: a:1"),
        ("a b:1", "write it as NAME:TAG"),
        ("a:1:2", "write it as NAME:TAG"),
        ("Host:5000/a:1:2", "write it as NAME:TAG"),
    ],
)
def test_what_is_no_name_of_an_image(name, hint):
    assert image(name) == [("BAI323", hint)]


@pytest.mark.parametrize(
    "name",
    [
        "a/b:V1-GPU",
        "a@sha256:ab",
        "a:1@sha256:ab",
        "a:1\n",
        "Me.azurecr.io/a:1",
        "Host:5000/a/b:1",
        "a_b/c.d-e:1",
        "$IMAGE",
        "<IMG>",
    ],
)
def test_images_that_it_takes(name):
    assert "BAI323" not in [code for code, _ in image(name)]


@pytest.mark.parametrize("size", ["lots", "8 gigs", "-1g", "g", "8x"])
def test_sizes_that_docker_cannot_read(size):
    assert [code for code, _ in of_job({"shmSize": size})] == ["BAI322"]


@pytest.mark.parametrize("size", ["64m", "8G", "8gb", "1.5g", "67108864", "2GiB", "8 g", "$SIZE"])
def test_sizes_that_it_reads(size):
    assert of_job({"shmSize": size}) == []


@pytest.mark.parametrize("key", ["~/.ssh/id_rsa.pub", "/home/me/key", "id_rsa.pub", "./k"])
def test_the_path_of_a_key(key):
    hint = f"write what `cat {key}` shows: ssh-rsa AAAA..."
    assert of_spec(key=key) == [("BAI321", hint)]


def test_the_old_command_line_reads_the_file_that_a_cluster_names():
    user = {"adminUserName": "me", "adminUserSshPublicKey": "~/.ssh/id_rsa.pub"}
    content = json.dumps({"properties": CLUSTER | {"userAccountSettings": user}}).encode()
    assert Linter().content(content, "cluster.json").findings == ()


@pytest.mark.parametrize(
    ("location", "near"),
    [("eatus", "eastus"), ("eastsu", "eastus"), ("WestEurop", "westeurope"), ("east-us", "eastus")],
)
def test_misspelt_regions(location, near):
    assert of_spec(location) == [("BAI324", f"did you mean {near}?")]


@pytest.mark.parametrize(
    "location",
    ["EastUS", "westus9", "mars", "l", "eastcentralus", "austriaeast", "local", "useast"],
)
def test_regions_that_are_right_or_unknown(location):
    assert of_spec(location) == []


@pytest.mark.parametrize("name", ["my-sub", "pay-as-you-go", "99999999-8888-7777-6666-55555555"])
def test_the_name_of_a_subscription_in_place_of_its_id(name):
    hint = "write its id, a UUID: `az account list` shows it"
    assert of_spec(f"eastus, subscription: {name}") == [("BAI302", hint)]


@pytest.mark.parametrize(
    "name", ["99999999-8888-7777-6666-55555555AAaa", "s", "SUBSCRIPTION_ID", "<your-id>", "'<id>'"]
)
def test_what_is_or_stands_for_the_id_of_a_subscription(name):
    assert of_spec(f"eastus, subscription: {name}") == []


def test_blanks_around_a_size():
    content = json.dumps({"properties": CLUSTER | {"vmSize": "STANDARD_NC6 "}}).encode()
    (finding,) = Linter().content(content, "cluster.json").findings
    assert (finding.code, finding.hint) == ("BAI313", "did you mean Standard_NC6?")


@pytest.mark.parametrize(
    ("size", "code"), [("STANDARD_DS3_V2", "BAI314"), ("STANDARD_D3_V2", "BAI807")]
)
def test_a_size_that_no_cluster_has_is_told_alone(size, code):
    job = """\
  jobs:
    j:
      nodeCount: 1
      mounts: {data: "azureFile://store/data"}
      logs: ${mounts.data}
      horovod: {script: "${mounts.data}/a.py", processesPerNode: 9}
"""
    text = SPEC.format(location="eastus", key="ssh-rsa AAAA me@host") + job
    text = text.replace("STANDARD_D2_V2", size)
    found = Linter().content(text.encode(), "spec.yaml").findings
    assert [each.code for each in found] == [code]
