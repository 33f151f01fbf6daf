"""compile(import(x)) is x."""

import copy
import json
import re

import pytest
from compiling import compile_spec, review
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from linting import lint
from loading import load_text

from bai.compiler.compilation import Defaults
from bai.compiler.importer.importer import import_files
from bai.compiler.importer.names import ImportNames
from bai.compiler.resources.ids import Kind
from bai.linter.driver.linter import Linter
from bai.linter.environment import LintEnvironment
from bai.specs.findings import Severity
from bai.specs.syntax.reader import read

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


ROLES = ("masterCommandLineArgs", "workerCommandLineArgs", "parameterServerCommandLineArgs")
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
        mapping(script, **python, communicationBackend=st.sampled_from(["TCP", "Gloo"])),
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
    st.tuples(
        st.just("tensorFlowSettings"),
        st.builds(
            lambda settings, words: settings | dict.fromkeys(ROLES, words), mapping(script), texts
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
            {"imageSourceRegistry": mapping({"image": texts}, serverUrl=texts)},
            shmSize=st.sampled_from(["8g", "100m", "3b"]),
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
    result = import_files(documents, NAMES, review)
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
    return import_files(documents, NAMES, review)


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
    comment = result.text[: result.text.index("# The files do not say which cluster")].splitlines()
    assert len(comment) == 4
    assert "priority: high" in result.text
    assert "properties.priority is now schedulingPriority" in comment[1]
    assert "properties.toolType is the service's to set" in comment[2]
    assert "did you mean nodeCount?" in comment[3]


def test_options_without_a_value_vanish():
    document = copy.deepcopy(MINIMAL)
    document["properties"] |= {
        "tensorFlowSettings": {
            "pythonScriptFilePath": "train.py",
            "pythonInterpreterPath": "",
            "masterCommandLineArgs": "",
        },
        "inputDirectories": [],
        "environmentVariables": [],
        "secrets": [],
        "jobPreparation": {"commandLine": ""},
        "constraints": {"maxWallClockTime": ""},
        "containerSettings": {
            "imageSourceRegistry": {
                "image": "tensorflow/tensorflow:1.8.0",
                "serverUrl": "",
                "credentials": {"username": "", "password": ""},
            },
            "shmSize": "",
        },
        "mountVolumes": {
            "azureFileShares": [
                {
                    "azureFileUrl": "https://acct.file.core.windows.net/s",
                    "relativeMountPath": "s",
                    "accountName": "",
                    "credentials": {"accountKey": ""},
                    "fileMode": "",
                    "directoryMode": "",
                }
            ],
            "azureBlobFileSystems": [],
        },
    }
    del document["properties"]["customToolkitSettings"]
    result = imported(document)
    assert result.findings == ()
    assert result.text[result.text.index("spec:") :] == (
        "spec:\n  jobs:\n    job:\n      cluster: cluster\n      nodeCount: 1\n"
        "      container: tensorflow/tensorflow:1.8.0\n"
        "      mounts:\n        s: azureFile://acct/s\n"
        "      logs: $AZ_BATCHAI_JOB_TEMP\n      tensorFlow:\n        script: train.py\n"
    )


def test_long_arguments_are_folded_and_equal_ones_written_once():
    document = copy.deepcopy(MINIMAL)
    long = "--hosts=$AZ_BATCHAI_WORKER_HOSTS --data=$AZ_BATCHAI_JOB_TEMP/data --steps=1000 " * 3
    settings_ = {"pythonScriptFilePath": "train.py", "parameterServerCommandLineArgs": "short"}
    settings_ |= dict.fromkeys(["masterCommandLineArgs", "workerCommandLineArgs"], long.strip())
    document["properties"]["tensorFlowSettings"] = settings_
    del document["properties"]["customToolkitSettings"]
    text = imported(document).text
    assert "masterArgs: &masterArgs >-\n" in text
    assert "workerArgs: *masterArgs\n" in text
    assert max(map(len, text.splitlines())) <= 100
    assert back(document, Kind.JOB)["properties"]["tensorFlowSettings"] == settings_


def test_an_empty_variable_is_one():
    document = copy.deepcopy(MINIMAL)
    document["properties"]["environmentVariables"] = [{"name": "EMPTY", "value": ""}]
    assert "environment:\n        EMPTY: ''\n" in imported(document).text


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
        result = import_files(documents, NAMES, review)
        assert result.text or result.findings
        assert not re.search("Traceback", result.text)


JOB_TEXT = """{
  "properties": {
    "nodeCount": 1,
    "schedulingPriority": "high",
    "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs",
    "mountVolumes": {
      "azureFileShares": [
        {
          "azureFileUrl": "https://acct.file.core.windows.net/s",
          "fileMode": "0755",
          "relativeMountPath": "logs"
        },
        {
          "azureFileUrl": "https://acct.file.core.windows.net/t",
          "relativeMountPath": "data"
        }
      ]
    },
    "inputDirectories": [
      {"id": "A", "path": "/a"},
      {"id": "B", "path": "/b"}
    ],
    "outputDirectories": [
      {"id": "M", "pathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs"},
      {"id": "N", "pathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs"}
    ],
    "environmentVariables": [
      {"name": "X", "value": "1"},
      {"name": "Y", "value": "2"}
    ],
    "constraints": {"maxWallClockTime": "P1D"},
    "customToolkitSettings": {"commandLine": "true"}
  }
}"""


@pytest.mark.parametrize(
    ("before", "after", "code", "place"),
    [
        ('"0755"', '"rwx"', "BAI513", '"rwx"'),
        ('"logs"', '""', "BAI304", '""'),
        ('"data"', '"../data"', "BAI502", '"../data"'),
        ('"data"', '"logs"', "BAI502", '"logs"\n        }\n      ]'),
        ('"data"', '"logs/data"', "BAI502", '"logs/data"'),
        ('"high"', '"hihg"', "BAI206", '"hihg"'),
        ('"nodeCount": 1', '"nodeCount": 0', "BAI303", "0"),
        ('"nodeCount": 1', '"nodeCount": 1.5', "BAI206", "1.5"),
        ('"B"', '"A"', "BAI311", '"A", "path": "/b"'),
        (
            '{"id": "N"',
            '{"id": "M"',
            "BAI311",
            '"M", "pathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs"}\n',
        ),
        ('"Y"', '"X"', "BAI310", '"X", "value": "2"'),
        ('"Y"', '"Y Z"', "BAI302", '"Y Z"'),
        ('"P1D"', '"a while"', "BAI306", '"a while"'),
        ('"true"', '""', "BAI304", '""'),
        ('"true"', '"cat ${inputs.A}"', "BAI212", '"cat'),
    ],
)
def test_what_a_spec_can_t_say_is_an_error_at_its_place(before, after, code, place):
    text = JOB_TEXT.replace(before, after)
    documents, _ = read(text, "job.json")
    result = import_files(documents, NAMES, review)
    assert result.text == ""
    line = text[: text.index(place)].count("\n") + 1
    column = text.index(place) - text[: text.index(place)].rfind("\n")
    assert {(f.span.line, f.span.column) for f in result.findings} == {(line, column)}
    assert code in {finding.code for finding in result.findings}


def test_the_job_that_is_spoilt_above_can_be_imported():
    documents, _ = read(JOB_TEXT, "job.json")
    assert import_files(documents, NAMES, review).findings == ()


def test_what_is_wrong_in_the_files_alike_is_a_warning_there():
    text = JOB_TEXT.replace('"/b"', '"$AZ_BATCHAI_JOB_MOUNT_ROOT/nowhere"')
    documents, _ = read(text, "job.json")
    result = import_files(documents, NAMES, review)
    (finding,) = result.findings
    assert result.text != ""
    assert (finding.code, finding.severity) == ("BAI506", Severity.WARNING)
    assert finding.span.line == text[: text.index("nowhere")].count("\n") + 1


def lint_findings(text):
    return lint(text.encode(), "job.json", "/project", LintEnvironment())


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ('"true"', '"cat $AZ_BATCHAI_INPUT_X $AZ_BATCHAI_INPUT_A $AZ_BATCHAI_OUTPUT_Y"', "BAI404"),
        ('"true"', '"cat \\"$AZ_BATCHAI_INPUT_X\\""', "BAI404"),
        ('"/b"', '"$AZ_BATCHAI_JOB_MOUNT_ROOT/nowhere"', "BAI506"),
    ],
)
def test_import_and_lint_say_the_same_of_a_file_at_the_same_place(before, after, code):
    text = JOB_TEXT.replace(before, after)
    documents, _ = read(text, "job.json")
    result = import_files(documents, NAMES, review)
    assert {finding.code for finding in result.findings} == {code}
    places = {(f.code, f.span, f.message, f.hint) for f in lint_findings(text)}
    assert {(f.code, f.span, f.message, f.hint) for f in result.findings} <= places


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        ('"true"', '"cat $AZ_BATCHAI_INPUT_X"', "BAI404"),
        ('"true"', '"cat $AZ_BATCHAI_INPUT_X &&\\n sleep 1\\n cat $AZ_BATCHAI_INPUT_Y"', "BAI404"),
        ('"/b"', '"$AZ_BATCHAI_JOB_MOUNT_ROOT/nowhere"', "BAI506"),
        ('"1"', '"$AZ_BATCHAI_INPUT_X$AZ_BATCHAI_JOB_MOUNT_ROOT/y"', "BAI404, BAI506"),
    ],
)
def test_what_the_service_took_compiles_after_the_import(before, after, codes):
    documents, _ = read(JOB_TEXT.replace(before, after), "job.json")
    result = import_files(documents, NAMES, review)
    assert f"# bai: ignore[{codes}] as in the imported file\n" in result.text
    [spec] = load_text(result.text, "spec.yaml", "/nowhere").specs
    compilation = compile_spec(spec, Defaults(location="eastus"))
    assert [f for f in compilation.findings if f.severity is Severity.ERROR] == []
    assert {f.code for f in result.findings} == set(codes.split(", "))
    # Each comment suppresses something.
    assert lint(result.text.encode(), "s.yaml", "/", LintEnvironment()) != ()
    assert Linter().content(result.text.encode(), "s.yaml").findings == ()


def test_a_key_in_plain_text_is_not_accepted():
    key = "A" * 43 + "b9" * 21 + "w=="
    documents, _ = read(JOB_TEXT.replace('"true"', f'"cat AccountKey={key}"'), "job.json")
    result = import_files(documents, NAMES, review)
    assert [f.code for f in result.findings] == ["BAI607"]
    assert "ignore" not in result.text


@pytest.mark.parametrize(
    ("nodes", "roles", "is_one"),
    [
        (1, ROLES[:1], True),
        (1, ROLES, False),
        (2, ROLES, True),
        (2, ROLES[:2], False),
    ],
)
def test_equal_arguments_of_all_roles_are_args(nodes, roles, is_one):
    document = copy.deepcopy(MINIMAL)
    del document["properties"]["customToolkitSettings"]
    document["properties"]["nodeCount"] = nodes
    settings_ = {"pythonScriptFilePath": "/a.py"} | dict.fromkeys(roles, "--epochs 3")
    document["properties"]["tensorFlowSettings"] = settings_
    assert ("\n        args: --epochs 3\n" in imported(document).text) == is_one
    assert back(document, Kind.JOB)["properties"]["tensorFlowSettings"] == settings_


@pytest.mark.parametrize(
    ("toolkit", "key", "before", "spec", "after"),
    [
        ("pyTorchSettings", "communicationBackend", "gloo", "backend: gloo", "Gloo"),
        ("pyTorchSettings", "communicationBackend", "tcp", "backend: tcp", "TCP"),
        ("cntkSettings", "languageType", "PYTHON", "language: python", "Python"),
        ("containerSettings", "shmSize", "8G", "shmSize: 8g", "8g"),
        ("containerSettings", "shmSize", "67108864", "shmSize: 64m", "64m"),
        ("containerSettings", "shmSize", "1536m", "shmSize: 1536m", "1536m"),
    ],
)
def test_words_and_sizes_get_the_spelling_of_specs(toolkit, key, before, spec, after):
    document = copy.deepcopy(MINIMAL)
    settings_ = {key: before}
    if toolkit == "containerSettings":
        settings_["imageSourceRegistry"] = {"image": "ubuntu"}
    else:
        del document["properties"]["customToolkitSettings"]
        settings_["pythonScriptFilePath"] = "/a.py"
    document["properties"][toolkit] = settings_
    assert f" {spec}\n" in imported(document).text
    assert back(document, Kind.JOB)["properties"][toolkit][key] == after


def test_a_size_that_docker_can_t_read_is_an_error_at_its_place():
    document = copy.deepcopy(MINIMAL)
    registry = {"image": "ubuntu"}
    settings_ = {"shmSize": "lots", "imageSourceRegistry": registry}
    document["properties"]["containerSettings"] = settings_
    (finding,) = imported(document).findings
    assert (finding.code, finding.severity) == ("BAI322", Severity.ERROR)


def test_two_scales_are_an_error():
    scale = {
        "manual": {"targetNodeCount": 1},
        "autoScale": {"minimumNodeCount": 0, "maximumNodeCount": 2},
    }
    result = imported({"properties": {"vmSize": "x", "scaleSettings": scale}})
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("BAI305", Severity.ERROR)


def test_a_time_limit_in_another_form_is_reported():
    documents, _ = read(JOB_TEXT.replace("P1D", "1.00:00:00"), "job.json")
    result = import_files(documents, NAMES, review)
    assert "timeLimit: P1D" in result.text
    assert [finding.code for finding in result.findings] == ["BAI207"]


def test_a_bare_name_in_place_of_an_id_is_reported():
    document = copy.deepcopy(MINIMAL)
    document["properties"]["cluster"] = {"id": "pool"}
    result = imported(document)
    assert "cluster: pool" in result.text
    assert [finding.code for finding in result.findings] == ["BAI207"]


def test_a_job_without_a_cluster_is_explained():
    assert "--cluster NAME" in imported(MINIMAL).text
    documents, _ = read(json.dumps(MINIMAL), "job.json")
    named = import_files(documents, ImportNames(cluster="gpu"), review)
    assert "#" not in named.text
    assert "cluster: gpu" in named.text


CLUSTER = {
    "properties": {
        "vmSize": "STANDARD_NC6",
        "scaleSettings": {"manual": {"targetNodeCount": 1}},
        "nodeSetup": {
            "mountVolumes": {
                "unmanagedFileSystems": [
                    {"mountCommand": "mount a", "relativeMountPath": "shared"},
                    {"mountCommand": "mount b", "relativeMountPath": "both"},
                ]
            },
            "setupTask": {
                "commandLine": "ls $AZ_BATCHAI_MOUNT_ROOT/shared/x",
                "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/shared",
            },
        },
    }
}
REFERENCES = {
    "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs": "${mounts.logs}",
    "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs/x": "${mounts.logs}/x",
    '"$AZ_BATCHAI_JOB_MOUNT_ROOT/logs":$PATH': '"${mounts.logs}":$PATH',
    "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs-2": "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs-2",
    "${AZ_BATCHAI_JOB_MOUNT_ROOT}/logs": "${AZ_BATCHAI_JOB_MOUNT_ROOT}/logs",
    "$AZ_BATCHAI_MOUNT_ROOT/shared/x": "${mounts.shared}/x",
    # Both have a mount of that name.
    "$AZ_BATCHAI_MOUNT_ROOT/both": "${cluster.mounts.both}",
    "$AZ_BATCHAI_JOB_MOUNT_ROOT/both/x": "${job.mounts.both}/x",
    "$AZ_BATCHAI_MOUNT_ROOT/unknown": "$AZ_BATCHAI_MOUNT_ROOT/unknown",
    "--in=$AZ_BATCHAI_INPUT_A,$AZ_BATCHAI_OUTPUT_M": "--in=${inputs.A},${outputs.M}",
    "$AZ_BATCHAI_INPUT_AB": "$AZ_BATCHAI_INPUT_AB",
    r"\$AZ_BATCHAI_INPUT_A": r"\$AZ_BATCHAI_INPUT_A",
}


def test_long_paths_become_short_references_that_compile_to_the_same():
    document = json.loads(JOB_TEXT)
    properties = document["properties"]
    for number, share in enumerate(properties["mountVolumes"]["azureFileShares"]):
        share["relativeMountPath"] = ("logs", "both")[number]
        share["accountName"] = "acct"
        share["credentials"] = {"accountKey": "<AZURE_BATCHAI_STORAGE_KEY>"}
    properties["environmentVariables"] = [
        {"name": f"V{number}", "value": text} for number, text in enumerate(REFERENCES)
    ]
    documents, _ = read(json.dumps(document), "job.json")
    more, _ = read(json.dumps(CLUSTER), "cluster.json")
    result = import_files((*documents, *more), NAMES, review)
    loaded = load_text(result.text, "spec.yaml", "/nowhere").specs[0]
    job = loaded.model.spec.jobs["job"]
    assert list(job.environment.values()) == list(REFERENCES.values())
    assert job.logs == "${mounts.logs}"
    assert job.outputs["M"].path == "${mounts.logs}"
    task = loaded.model.spec.clusters["cluster"].setup_task
    assert (task.command, task.logs) == ("ls ${mounts.shared}/x", "${mounts.shared}")
    compilation = compile_spec(loaded, Defaults(location="eastus"))
    (resource,) = compilation.of_kind(Kind.JOB)
    wire = resource.to_wire()
    del wire["properties"]["cluster"]
    assert wire == document
    (resource,) = compilation.of_kind(Kind.CLUSTER)
    assert resource.to_wire() == CLUSTER


@pytest.mark.parametrize("option", ["experiment", "job", "cluster", "workspace", "resource_group"])
def test_a_name_that_is_none_is_no_fault_of_a_file(option):
    documents, _ = read(JOB_TEXT, "job.json")
    result = import_files(documents, ImportNames(**{option: "a b"}), review)
    assert result.text == ""
    (finding,) = result.findings
    assert (finding.code, finding.span) == ("BAI302", None)
    assert "'a b'" in finding.message


def test_the_cluster_may_be_named_by_its_id():
    documents, _ = read(JOB_TEXT, "job.json")
    result = import_files(documents, ImportNames(cluster=f"{HOME}/clusters/gpu"), review)
    assert result.findings == ()
    assert f"cluster: {HOME}/clusters/gpu" in result.text


def test_several_files_have_findings_each_at_its_place():
    cluster = json.dumps(CLUSTER, indent=1).replace("mount a", "cat $AZ_BATCHAI_INPUT_X")
    job = JOB_TEXT.replace('"true"', '"cat $AZ_BATCHAI_INPUT_X"')
    documents = [*read(cluster, "cluster.json")[0], *read(job, "job.json")[0]]
    result = import_files(documents, NAMES, review)
    assert result.text != ""
    found = [f for f in result.findings if f.code == "BAI404"]
    assert [f.span.file for f in found] == ["job.json"]
    [line] = [line for line in job.splitlines() if "INPUT_X" in line]
    assert found[0].span.column == line.index("$AZ_BATCHAI_INPUT_X") + 1
