"""compile(import(x)) is x."""

import copy
import json
import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bai.compiler.compilation import Defaults
from bai.compiler.compile import compile_spec
from bai.compiler.importer.importer import ImportNames, import_files
from bai.compiler.resources.ids import Kind
from bai.specs.findings import Severity
from bai.specs.load import load_text
from bai.specs.reader import read

HOME = "/subscriptions/s-1/resourceGroups/group/providers/Microsoft.BatchAI/workspaces/home"
NAMES = ImportNames(workspace="w", resource_group="g", location="eastus")

AWKWARD = ["no", "0777", "12:30:00", "1.10", "null", "~", "a: b", "# x", "'q'", '"', "{x}", "- y"]
texts = st.one_of(
    st.sampled_from(
        [*AWKWARD, "two\nlines\n", "ünïcödé", "100%", "a?b=c&d", " padded ", "[x", "a]"]
    ),
    st.text(
        st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=("Cc", "Cs")),
        min_size=1,
        max_size=20,
    ),
).filter(lambda text: "${" not in text and "AZ_BATCHAI" not in text and not is_expression(text))
names = st.from_regex(r"[A-Za-z][-\w]{0,8}", fullmatch=True).filter(str.isascii)
variables = st.from_regex(r"[A-Z_][A-Z0-9_]{0,6}", fullmatch=True)
accounts = st.from_regex(r"[a-z0-9]{3,12}", fullmatch=True)
counts = st.integers(1, 9)
relative = st.from_regex(r"[a-z]{1,6}(/[a-z]{1,4})?", fullmatch=True)


def is_expression(text):
    return text.startswith("[") and text.endswith("]")


def mapping(required, **optional):
    return st.fixed_dictionaries(required, optional=optional)


secrets = st.sampled_from(["<secret env:TOKEN>", "<secret file:/run/token>"])
vaults = st.just({"sourceVault": {"id": "/subscriptions/s/vaults/v"}, "secretUrl": "https://v/1"})
credentials = st.one_of(
    st.just({"accountKey": "<AZURE_BATCHAI_STORAGE_KEY>"}),
    secrets.map(lambda marker: {"accountKey": marker}),
    vaults.map(lambda vault: {"accountKeySecretReference": vault}),
)


@st.composite
def shares(draw):
    account = draw(st.one_of(accounts, st.just("<AZURE_BATCHAI_STORAGE_ACCOUNT>")))
    suffix = draw(st.sampled_from(["core.windows.net", "core.chinacloudapi.cn"]))
    share = {
        "accountName": account,
        "azureFileUrl": f"https://{account}.file.{suffix}/{draw(relative)}",
        "credentials": draw(credentials),
    }
    if draw(st.booleans()):
        share["fileMode"] = "0755"
    return share


blobs = mapping(
    {
        "accountName": st.one_of(accounts, st.just("<AZURE_BATCHAI_STORAGE_ACCOUNT>")),
        "containerName": relative,
        "credentials": credentials,
    },
    mountOptions=texts,
)
servers = mapping(
    {
        "fileServer": st.sampled_from(
            [{"id": f"{HOME}/fileServers/nfs"}, {"id": "/subscriptions/x"}]
        )
    },
    sourceDirectory=texts,
    mountOptions=texts,
)
others = mapping({"mountCommand": st.one_of(texts, st.just("mount --bind '/a b'"))})


@st.composite
def volumes(draw):
    """mountVolumes whose paths do not overlap."""
    found = {}
    number = 0
    for key, kind in (
        ("azureFileShares", shares()),
        ("azureBlobFileSystems", blobs),
        ("fileServers", servers),
        ("unmanagedFileSystems", others),
    ):
        items = draw(st.lists(kind, max_size=2))
        for item in items:
            number += 1
            item["relativeMountPath"] = f"m{number}/{draw(relative)}"
        if items:
            found[key] = items
    return found


def entries(key, value, **more):
    """A list of {key: NAME, ...} with unique names."""
    return st.lists(
        mapping({key: variables, **value}, **more),
        min_size=1,
        max_size=3,
        unique_by=lambda e: e[key],
    )


script = {"pythonScriptFilePath": texts}
python = {"pythonInterpreterPath": texts, "commandLineArgs": texts}
either = st.one_of(
    mapping({"configFilePath": texts}, commandLineArgs=texts, processCount=counts),
    mapping(script, **python, processCount=counts),
)
toolkits = st.one_of(
    st.tuples(st.just("horovodSettings"), mapping(script, **python, processCount=counts)),
    st.tuples(
        st.just("pyTorchSettings"),
        mapping(script, **python, communicationBackend=st.sampled_from(["TCP", "gloo"])),
    ),
    st.tuples(
        st.just("tensorFlowSettings"),
        mapping(
            script,
            masterCommandLineArgs=texts,
            workerCommandLineArgs=texts,
            parameterServerCommandLineArgs=texts,
            workerCount=counts,
        ),
    ),
    st.tuples(st.just("customMpiSettings"), mapping({"commandLine": texts}, processCount=counts)),
    st.tuples(st.just("customToolkitSettings"), mapping({"commandLine": texts})),
    st.tuples(st.just("caffeSettings"), either),
    st.tuples(st.just("cntkSettings"), either),
    st.tuples(st.just("caffe2Settings"), mapping(script, **python)),
    st.tuples(st.just("chainerSettings"), mapping(script, **python, processCount=counts)),
)


@st.composite
def jobs(draw):
    """A job in wire form, with everything that a job may have."""
    toolkit, settings_ = draw(toolkits)
    properties = {
        "cluster": {
            "id": draw(
                st.sampled_from(
                    [f"{HOME}/clusters/gpu", HOME.replace("home", "w2") + "/clusters/c"]
                )
            )
        },
        "nodeCount": draw(counts),
        "stdOutErrPathPrefix": draw(texts),
        toolkit: settings_,
    }
    optional = {
        "schedulingPriority": st.sampled_from(["low", "normal", "high"]),
        "mountVolumes": volumes(),
        "containerSettings": mapping(
            {"imageSourceRegistry": mapping({"image": texts}, serverUrl=texts)}, shmSize=texts
        ),
        "jobPreparation": mapping({"commandLine": texts}),
        "inputDirectories": entries("id", {"path": texts}),
        "outputDirectories": entries("id", {"pathPrefix": texts}, pathSuffix=texts),
        "environmentVariables": entries("name", {"value": texts}),
        "constraints": st.just({"maxWallClockTime": "P1DT2H"}),
    }
    for key, strategy in optional.items():
        if draw(st.booleans()) and (value := draw(strategy)):
            properties[key] = value
    taken = {entry["name"] for entry in properties.get("environmentVariables", ())}
    secret = draw(entries("name", {"value": secrets}))
    if kept := [entry for entry in secret if entry["name"] not in taken]:
        properties["secrets"] = kept
    return {"properties": properties}


users = st.one_of(
    mapping({"adminUserName": texts, "adminUserPassword": secrets}, adminUserSshPublicKey=texts),
    mapping({"adminUserName": texts, "adminUserSshPublicKey": texts}),
)
scales = st.one_of(
    mapping(
        {"targetNodeCount": st.integers(0, 9)},
        nodeDeallocationOption=st.sampled_from(["requeue", "terminate"]),
    ).map(lambda manual: {"manual": manual}),
    st.just({"autoScale": {"minimumNodeCount": 0, "maximumNodeCount": 4, "initialNodeCount": 1}}),
)
images = mapping(
    {"publisher": texts, "offer": texts, "sku": texts}, version=texts, virtualMachineImageId=texts
) | st.just({"publisher": "Canonical", "offer": "UbuntuServer", "sku": "16.04-LTS"})


@st.composite
def clusters(draw):
    """A cluster in wire form."""
    properties = {"vmSize": draw(texts), "scaleSettings": draw(scales)}
    if draw(st.booleans()):
        properties["vmPriority"] = "lowpriority"
    if draw(st.booleans()):
        properties["userAccountSettings"] = draw(users)
    if draw(st.booleans()):
        properties["virtualMachineConfiguration"] = {"imageReference": draw(images)}
    if found := draw(volumes()):
        properties["nodeSetup"] = {"mountVolumes": found}
    if draw(st.booleans()):
        task = mapping(
            {"commandLine": texts, "stdOutErrPathPrefix": texts},
            environmentVariables=entries("name", {"value": texts}),
        )
        properties.setdefault("nodeSetup", {})["setupTask"] = draw(task)
    return {"properties": properties}


def back(document, kind):
    """Import a wire document, compile the spec, and return the resource's wire form."""
    documents, findings = read(json.dumps(document), "file.json")
    assert findings == ()
    result = import_files(documents, NAMES)
    assert [f for f in result.findings if f.severity is Severity.ERROR] == [], result.findings
    loaded = load_text(result.text, "spec.yaml", "/nowhere")
    assert [f for f in loaded.findings if f.severity is Severity.ERROR] == [], result.text
    compilation = compile_spec(loaded.specs[0], Defaults(location="eastus"))
    (resource,) = compilation.of_kind(kind)
    return resource.to_wire()


SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@SETTINGS
@given(jobs())
def test_jobs_come_back(document):
    assert back(copy.deepcopy(document), Kind.JOB) == document


@SETTINGS
@given(clusters())
def test_clusters_come_back(document):
    assert back(copy.deepcopy(document), Kind.CLUSTER) == document


def test_file_servers_come_back():
    document = {
        "properties": {
            "vmSize": "STANDARD_D2",
            "sshConfiguration": {
                "publicIPsToAllow": ["10.0.0.0/8"],
                "userAccountSettings": {
                    "adminUserName": "admin",
                    "adminUserPassword": "<secret env:ADMIN_PASSWORD>",
                },
            },
            "dataDisks": {
                "diskSizeInGB": 10,
                "diskCount": 2,
                "storageAccountType": "Premium_LRS",
                "cachingType": "readonly",
            },
            "subnet": {"id": "/subscriptions/s/subnets/x"},
        }
    }
    assert back(document, Kind.FILE_SERVER) == document


def imported(document):
    documents, _ = read(json.dumps(document), "job.json")
    return import_files(documents, NAMES)


MINIMAL = {
    "properties": {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_TEMP",
        "customToolkitSettings": {"commandLine": "true"},
    }
}


def test_secrets_in_plain_text_become_references_and_are_shown_nowhere():
    document = copy.deepcopy(MINIMAL)
    document["properties"]["secrets"] = [{"name": "TOKEN", "value": "hunter2"}]
    result = imported(document)
    assert "hunter2" not in result.text
    assert "hunter2" not in str(result.findings)
    assert "TOKEN: env:TOKEN" in result.text
    assert [finding.code for finding in result.findings] == ["BAI603"]


def test_what_can_t_be_kept_is_said_in_a_comment():
    document = copy.deepcopy(MINIMAL)
    document["properties"] |= {
        "priority": "high",
        "toolType": "custom",
        "nodecount": 3,
        "secrets": None,
    }
    result = imported(document)
    comment = [line for line in result.text.splitlines() if line.startswith("#")]
    assert len(comment) == 4
    assert "priority: high" in result.text
    assert "properties.priority is now schedulingPriority" in comment[1]
    assert "properties.toolType is the service's to set" in comment[2]
    assert "did you mean nodeCount?" in comment[3]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"properties": {"nodeCount": "[parameters('n')]", "stdOutErrPathPrefix": "x"}}, "BAI208"),
        ({"a": 1}, "BAI209"),
        ([], "BAI209"),
        ({"properties": {"nodeCount": 1, "stdOutErrPathPrefix": "x"}}, "BAI701"),
        ({"properties": {"nodeCount": 1}}, "BAI206"),
    ],
)
def test_files_that_are_no_use_are_refused_at_their_place(document, code):
    result = imported(document)
    assert result.text == ""
    assert code in {finding.code for finding in result.findings}
    assert all(finding.span is not None for finding in result.findings)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
keys = st.sampled_from(
    [
        *("nodeCount", "scaleSettings", "dataDisks", "mountVolumes", "azureFileShares", "cluster"),
        *("id", "secrets", "value", "horovodSettings", "vmSize", "userAccountSettings"),
        *("containerSettings", "nodeSetup"),
    ]
)
shaped = st.recursive(
    json_values, lambda inner: st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


@SETTINGS
@example([[]])
@given(
    st.recursive(json_values, lambda inner: st.dictionaries(keys, inner, max_size=4), max_leaves=12)
)
def test_any_json_imports_or_is_refused(value):
    documents, findings = read(json.dumps({"properties": value}), "x.json")
    if not findings:
        result = import_files(documents, NAMES)
        assert result.text or result.findings
        assert not re.search("Traceback", result.text)
