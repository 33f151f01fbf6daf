"""Rules on variables, directories and mounts: what a page's two examples do not show."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linting import lint

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.environment import LintEnvironment
from bai.linter.resource_view import ResourceView
from bai.linter.rules.registry import violations
from bai.linter.rules.report import report

SHARE = "https://<AZURE_BATCHAI_STORAGE_ACCOUNT>.file.core.windows.net/share"
ROOT = "$AZ_BATCHAI_JOB_MOUNT_ROOT"
CLUSTER_ROOT = "$AZ_BATCHAI_MOUNT_ROOT"
KINDS = (Kind.JOB, Kind.CLUSTER, Kind.FILE_SERVER)


def shares(*paths):
    return {"azureFileShares": [{"azureFileUrl": SHARE, "relativeMountPath": p} for p in paths]}


def cluster(*paths, setup=None):
    node_setup = {"mountVolumes": shares(*paths)}
    if setup:
        node_setup["setupTask"] = setup
    return {
        "vmSize": "STANDARD_NC6",
        "scaleSettings": {"manual": {"targetNodeCount": 1}},
        "userAccountSettings": {"adminUserName": "me", "adminUserSshPublicKey": "ssh-rsa AAAA"},
        "nodeSetup": node_setup,
    }


def reported(properties, clusters=()):
    """What is found in a file with these properties: (code, message, hint, excerpt)."""
    text = json.dumps({"properties": properties}, indent=1)
    found = lint(text.encode(), "file.json", "/", LintEnvironment(clusters=clusters))
    # Expressions of ARM templates are reported by another rule.
    found = [finding for finding in found if finding.code != "BAI208"]
    lines = text.splitlines()
    excerpts = (lines[f.span.line - 1][f.span.column - 1 : f.span.end_column - 1] for f in found)
    return [(f.code, f.message, f.hint, part) for f, part in zip(found, excerpts, strict=True)]


def job(command="ls", *, mounts=("data",), toolkit="customToolkitSettings", **more):
    script = "pythonScriptFilePath" if not toolkit.startswith("custom") else "commandLine"
    return {
        "nodeCount": 1,
        "stdOutErrPathPrefix": f"{ROOT}/data",
        "mountVolumes": shares(*mounts),
        toolkit: {script: command},
    } | more


def known_cluster(*paths):
    return (ResourceView(Kind.CLUSTER, {"properties": cluster(*paths)}),)


def codes(properties, clusters=()):
    return [code for code, *_ in reported(properties, clusters)]


@pytest.mark.parametrize(
    "text",
    [
        "$AZ_BATCHAI_NUM_GPUS ${AZ_BATCHAI_NUM_GPUS} $AZ_BATCH_HOST_LIST",
        "${AZ_BATCHAI_NODES:-2} ${AZ_BATCHAI_NODES-2} ${AZ_BATCHAI_INPUT_X:?no}",
        "$$AZ_BATCHAI_NODES is a process id",
        "AZ_BATCHAI_N=2; echo $AZ_BATCHAI_N; export AZ_BATCHAI_INPUT_X=2 && $AZ_BATCHAI_INPUT_X",
        "$AZ_BATCH_TASK_WORKING_DIR $batch $BATCH_SIZE $AZ",
        "${#AZ_BATCHAI_JOB_TEMP} ${AZ_BATCHAI_JOB_TEMP%/*} '${AZ_BATCHAI_JOB_TEMP'",
        f"{ROOT}/data/x {ROOT}//data {ROOT}/./data '{ROOT}'/data \"${ROOT[1:]}\"/data {ROOT}/da*",
        f"{ROOT} {ROOT}/ {ROOT}; {ROOT}/$X {ROOT}/data:{ROOT}/data, {ROOT}/x/../data",
        f"ls {ROOT}/{{a,b}}",
        f"{CLUSTER_ROOT}/anything",
    ],
)
def test_uses_that_nothing_is_wrong_with(text):
    assert reported(job(text)) == []


def test_a_name_goes_on_as_long_as_the_shell_says():
    inputs = [{"id": "DATA", "path": f"{ROOT}/data"}]
    assert codes(job("ls $AZ_BATCHAI_INPUT_DATA/x", inputDirectories=inputs)) == []
    assert codes(job("ls $AZ_BATCHAI_INPUT_DATA-x", inputDirectories=inputs)) == []
    assert codes(job("ls ${AZ_BATCHAI_INPUT_DATA}x", inputDirectories=inputs)) == []
    [found] = reported(job("ls $AZ_BATCHAI_INPUT_DATAx", inputDirectories=inputs))
    assert found == (
        "BAI404",
        "AZ_BATCHAI_INPUT_DATAx is not declared",
        "did you mean $AZ_BATCHAI_INPUT_DATA?",
        "$AZ_BATCHAI_INPUT_DATAx",
    )


def test_an_unclear_toolkit_is_not_accused():
    properties = job("echo $AZ_BATCHAI_TASK_INDEX", customMpiSettings={"commandLine": "ls"})
    assert "BAI412" not in codes(properties)


def test_inputs_whose_paths_use_each_other():
    def path_of(*ids):
        return ":".join([f"{ROOT}/data", *(f"$AZ_BATCHAI_INPUT_{id}" for id in ids)])

    inputs = [
        {"id": "BEFORE", "path": path_of("B")},
        {"id": "A", "path": path_of("B")},
        {"id": "B", "path": path_of("A")},
        {"id": "C", "path": path_of("BEFORE", "D")},
        {"id": "D", "path": path_of("E")},
        {"id": "E", "path": path_of("C", "A")},
        {"id": "OWN", "path": path_of("OWN")},
    ]
    properties = job(f"{ROOT}/data/x.py", inputDirectories=inputs)
    found = [each for each in reported(properties) if each[0] == "BAI413"]
    hint = "begin the path of one of them with $AZ_BATCHAI_JOB_MOUNT_ROOT/NAME"
    own = "input OWN is not set yet where an input's path is made"
    begin = "begin the path with $AZ_BATCHAI_JOB_MOUNT_ROOT/NAME"
    assert found == [
        ("BAI413", "the paths of the inputs A and B use each other", hint, "$AZ_BATCHAI_INPUT_B"),
        (
            "BAI413",
            "the paths of the inputs C, D and E use each other",
            hint,
            "$AZ_BATCHAI_INPUT_D",
        ),
        ("BAI413", own, begin, "$AZ_BATCHAI_INPUT_OWN"),
    ]


def test_a_setup_task_has_the_mount_root_alone():
    setup = {"commandLine": f"ls {CLUSTER_ROOT}/nfs", "stdOutErrPathPrefix": f"{CLUSTER_ROOT}/nfs"}
    assert codes(cluster("nfs", setup=setup)) == []
    setup["commandLine"] = f"ls {ROOT}/nfs $AZ_BATCHAI_OUTPUT_X $AZ_BATCH_HOST_LIST $AZ_BATCHAI_X"
    assert codes(cluster("nfs", setup=setup)) == ["BAI413", "BAI413", "BAI413", "BAI411"]


def test_a_path_that_lacks_its_dollar():
    [(code, _, hint, part)] = reported(job(stdOutErrPathPrefix="AZ_BATCHAI_JOB_MOUNT_ROOT/data"))
    assert (code, hint, part) == ("BAI415", f"write {ROOT}", ROOT[1:])


def test_variables_that_are_not_expanded():
    more = {"outputDirectories": [{"id": "B", "pathPrefix": f"{ROOT}/data", "pathSuffix": ROOT}]}
    assert [(code, part) for code, _, _, part in reported(job(**more))] == [("BAI417", ROOT)]
    more["outputDirectories"][0]["pathSuffix"] = "$NAME"
    assert codes(job(**more)) == ["BAI418"]


def test_mounts_of_the_other_level():
    command = f"cp {CLUSTER_ROOT}/data/x {ROOT}/nfs/y"
    job_only = reported(job(command))
    assert [(code, hint) for code, _, hint, _ in job_only] == [
        ("BAI416", f"write {ROOT}, unless the cluster has such a mount, too"),
        ("BAI506", "valid here: data"),
    ]
    found = reported(job(command), known_cluster("nfs"))
    assert [(hint, part) for _, _, hint, part in found] == [
        ("it is a job mount: use $AZ_BATCHAI_JOB_MOUNT_ROOT", f"{CLUSTER_ROOT}/data"),
        ("it is a cluster mount: use $AZ_BATCHAI_MOUNT_ROOT", f"{ROOT}/nfs"),
    ]


@pytest.mark.parametrize(
    "mounts",
    [
        "[parameters('volumes')]",
        {"azureFileShares": "[parameters('shares')]"},
        {"azureFileShares": [{"azureFileUrl": SHARE, "relativeMountPath": "[variables('p')]"}]},
    ],
)
def test_mounts_that_a_template_fills_in_are_not_missed(mounts):
    assert "BAI506" not in codes(job(f"ls {ROOT}/data", mountVolumes=mounts))


def test_a_mount_may_have_any_name():
    mounts = {"mounts": ("my data", "data"), "stdOutErrPathPrefix": f"{ROOT}/my data/logs"}
    assert codes(job(f"ls '{ROOT}/my data/x'", **mounts)) == []
    assert codes(job(f"ls {ROOT}/my", **mounts)) == ["BAI506"]


def in_volumes(kind, **entry):
    """What is found in a job with one volume more."""
    mounts = shares("data")
    mounts.setdefault(kind, []).append({"relativeMountPath": "x"} | entry)
    return reported(job(mountVolumes=mounts))


def test_mounts_of_different_kinds_overlap_as_well():
    found = in_volumes("unmanagedFileSystems", mountCommand="mount x", relativeMountPath="data/y")
    assert [code for code, *_ in found] == ["BAI502"]


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ({"azureFileUrl": "https://acc.file.core.windows.net/abc"}, []),
        (
            {"azureFileUrl": "https://acc.file.core.cloudapi.de/a-b/c", "accountName": "acc"},
            [],
        ),
        ({"azureFileUrl": "[concat('https://', x)]", "accountName": "[parameters('a')]"}, []),
        ({"azureFileUrl": SHARE, "accountName": "acc"}, []),
        (
            {
                "azureFileUrl": "https://acc.file.core.windows.net/abc",
                "accountName": "<AZURE_BATCHAI_STORAGE_ACCOUNT>",
            },
            [],
        ),
        ({"azureFileUrl": "https://acc.file.core.windows.net/"}, ["BAI505"]),
        ({"azureFileUrl": "acc.file.core.windows.net/abc"}, ["BAI505"]),
        ({"azureFileUrl": "//acc/abc"}, ["BAI505"]),
        ({"azureFileUrl": "https://acc.blob.core.windows.net/abc"}, ["BAI505"]),
        (
            {"azureFileUrl": "https://acc.file.core.windows.net/abc", "accountName": "acd"},
            ["BAI505"],
        ),
        ({"azureFileUrl": "https://acc.file.core.window.net/abc"}, ["BAI505"]),
        ({"azureFileUrl": "https://acc.flie.core.windows.net/abc"}, ["BAI505"]),
        ({"azureFileUrl": "https://acc.file.core.windows.com/abc"}, ["BAI505"]),
        ({"azureFileUrl": "https://acc.file.core.chinacloudapi.com/abc"}, ["BAI505"]),
        ({"azureFileUrl": "https://acc.FILE.core.windows.net/abc"}, []),
        ({"azureFileUrl": "https://acc.file.core.usgovcloudapi.net/abc"}, []),
        ({"azureFileUrl": "https://acc.privatelink.file.core.windows.net/abc"}, []),
        ({"azureFileUrl": "https://acc.file.local.azurestack.external/abc"}, []),
        ({"azureFileUrl": SHARE, "accountName": "my_account"}, ["BAI504"]),
        ({"azureFileUrl": SHARE, "accountName": ""}, ["BAI504"]),
        ({"azureFileUrl": "https://acc.file.core.windows.net/ab"}, ["BAI511"]),
        ({"azureFileUrl": "https://acc.file.core.windows.net/a--b"}, ["BAI511"]),
        ({"azureFileUrl": SHARE, "fileMode": "755", "directoryMode": "0700"}, []),
        ({"azureFileUrl": SHARE, "fileMode": "rwx", "directoryMode": "0888"}, ["BAI513"] * 2),
    ],
)
def test_shares(entry, found):
    assert [code for code, *_ in in_volumes("azureFileShares", **entry)] == found


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ({"containerName": "$root"}, []),
        ({"containerName": "<CONTAINER>"}, ["BAI611"]),
        ({"containerName": "Images"}, ["BAI511"]),
        ({"containerName": "x" * 64}, ["BAI511"]),
        ({"mountOptions": "-o ro --use-https=true -o attr_timeout=240 --log-level LOG_ERR"}, []),
        ({"mountOptions": "-o 'a b'"}, []),
        ({"mountOptions": "-o ro rw"}, ["BAI512"]),
        ({"mountOptions": "rw,noatime"}, ["BAI512"]),
    ],
)
def test_containers(entry, found):
    entry = {"accountName": "store", "containerName": "images"} | entry
    assert [code for code, *_ in in_volumes("azureBlobFileSystems", **entry)] == found


ARM = "/subscriptions/s/resourceGroups/g/providers/Microsoft.BatchAI/workspaces/w"


def test_ids_and_directories_of_file_servers():
    server = {"fileServer": {"id": f"{ARM}/fileservers/f"}, "sourceDirectory": "a/../b"}
    assert in_volumes("fileServers", **server) == []
    server["sourceDirectory"] = "/../b"
    assert [code for code, *_ in in_volumes("fileServers", **server)] == ["BAI515"]
    server = {"fileServer": {"id": f"{ARM}/clusters/f"}}
    assert [code for code, *_ in in_volumes("fileServers", **server)] == ["BAI402"]


words = st.sampled_from(
    [
        ROOT,
        CLUSTER_ROOT,
        "${AZ_BATCHAI_MOUNT_ROOT}",
        "$AZ_BATCHAI_INPUT_A",
        "$(AZ_BATCHAI_JOB_TEMP)",
        "$AZ_BATCHAI_",
        "/",
        "..",
        "data",
        "a\\ b",
        "'",
        '"',
        "[x]",
        "é\0",
        "mount -t nfs",
        SHARE,
        " ",
        ";",
        "$",
        "{",
    ]
)
texts = st.lists(words, max_size=5).map("".join) | st.text(max_size=5)
VOLUME_LISTS = (
    "azureFileShares",
    "azureBlobFileSystems",
    "fileServers",
    "unmanagedFileSystems",
)
VOLUME_KEYS = (
    "relativeMountPath",
    "azureFileUrl",
    "accountName",
    "containerName",
    "mountOptions",
    "fileMode",
    "directoryMode",
    "mountCommand",
    "fileServer",
)
OTHER_KEYS = (
    "properties",
    "mountVolumes",
    "sourceDirectory",
    "id",
    "path",
    "pathPrefix",
    "pathSuffix",
    "inputDirectories",
    "name",
    "outputDirectories",
    "stdOutErrPathPrefix",
    "jobPreparation",
    "commandLine",
    "customToolkitSettings",
    "value",
    "horovodSettings",
    "environmentVariables",
    "secrets",
    "nodeSetup",
    "setupTask",
    "cluster",
    "subnet",
    "nodeCount",
)
KEYS = VOLUME_LISTS + VOLUME_KEYS + OTHER_KEYS
data = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | texts,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=25,
)
# Half of what is generated has the outer form right, so that rules look deeper.
volume = st.dictionaries(st.sampled_from(VOLUME_KEYS), data, max_size=4)
volumes = st.dictionaries(st.sampled_from(VOLUME_LISTS), st.lists(volume, max_size=3) | data)
framed = st.dictionaries(st.sampled_from(KEYS), data, max_size=6) | st.builds(
    lambda found, more: {"mountVolumes": found, "nodeSetup": {"mountVolumes": found}} | more,
    volumes,
    st.dictionaries(st.sampled_from(OTHER_KEYS), data, max_size=4),
)
wires = data | framed.map(lambda properties: {"properties": properties})


@settings(deadline=None, max_examples=200)
@given(st.lists(st.builds(ResourceView, st.sampled_from(KINDS), wires), min_size=1, max_size=3))
def test_no_rule_raises_whatever_it_looks_at(views):
    for rule, view, violation in violations(RuleContext(views)):
        assert report(rule.code, view, violation).message


def test_toolkits_are_called_as_in_the_file():
    text = b"""\
apiVersion: bai/v1
kind: Experiment
metadata: {name: e}
spec:
  jobs:
    j: {nodeCount: 1, logs: /tmp, custom: {command: echo $AZ_BATCHAI_WORKER_HOSTS}}
"""
    found = lint(text, "spec.yaml", "/", LintEnvironment())
    [of_spec] = [f for f in found if f.code == "BAI412"]
    assert of_spec.message == "AZ_BATCHAI_WORKER_HOSTS is not set for custom"
    assert of_spec.hint == "only jobs with tensorFlow have it"
    [of_wire] = [f for f in reported(job("echo $AZ_BATCHAI_WORKER_HOSTS")) if f[0] == "BAI412"]
    assert of_wire[1] == "AZ_BATCHAI_WORKER_HOSTS is not set for customToolkitSettings"
    assert of_wire[2] == "only jobs with tensorFlowSettings have it"
