"""The validators: profiles, words and places of errors, and what the schema files must be."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft4Validator

from bai.schemas.validators import FILLED_IN, is_valid, schema, validate

KINDS = ("job", "cluster", "fileServer")
CORPUS = Path(__file__).parent / "corpus"
TOOLKIT_JOBS = sorted(CORPUS.glob("job/accepted/toolkit-*.json"))
RUNNABLE = {
    "cluster": {"id": "x"},
    "nodeCount": 1,
    "stdOutErrPathPrefix": "x",
    "customToolkitSettings": {"commandLine": "true"},
}


def wire(**properties):
    return {"properties": properties}


def reported(kind, data, profile="wire"):
    return [(error.path, error.message) for error in validate(kind, data, profile)]


def parts(value):
    """Every mapping within a schema, itself included."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from parts(inner)


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_valid_and_stand_alone(kind):
    data = schema(kind)
    assert data["$schema"] == "http://json-schema.org/draft-04/schema#"
    Draft4Validator.check_schema(data)
    targets = {part["$ref"] for part in parts(data) if isinstance(part.get("$ref"), str)}
    names = {target.removeprefix("#/definitions/") for target in targets}
    # Nothing is fetched, nothing dangles, nothing is dead weight.
    assert names == set(data["definitions"])


@pytest.mark.parametrize("kind", KINDS)
def test_every_property_and_definition_is_described(kind):
    data = schema(kind)
    assert data["title"]
    described = [*data["definitions"].items()]
    for part in parts(data):
        if part.get("type") == "object":
            described += part["properties"].items()
    assert len(described) > 15
    assert [name for name, part in described if not part.get("description")] == []


def test_importing_the_validators_leaves_jsonschema_alone():
    code = "import sys, bai.schemas.validators; sys.exit('jsonschema' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


PLACEHOLDER = "https://<AZURE_BATCHAI_STORAGE_ACCOUNT>.file.core.windows.net/s"
VOLUMES = {
    "azureFileShares": [{"azureFileUrl": PLACEHOLDER, "relativeMountPath": "s"}],
    "azureBlobFileSystems": [{"accountName": "a", "containerName": "c", "relativeMountPath": "b"}],
}


@pytest.mark.parametrize(
    ("kind", "place", "data"),
    [
        ("job", ("properties",), wire(mountVolumes=VOLUMES)),
        ("cluster", ("properties", "nodeSetup"), wire(nodeSetup={"mountVolumes": VOLUMES})),
    ],
)
def test_the_file_profile_leaves_out_what_the_command_line_filled_in(kind, place, data):
    assert validate(kind, data, "file") == ()
    share = (*place, "mountVolumes", "azureFileShares", 0)
    container = (*place, "mountVolumes", "azureBlobFileSystems", 0)
    assert reported(kind, data) == [
        ((*share, "accountName"), "azureFileShares[0]: the key 'accountName' is missing"),
        ((*share, "credentials"), "azureFileShares[0]: the key 'credentials' is missing"),
        ((*container, "credentials"), "azureBlobFileSystems[0]: the key 'credentials' is missing"),
    ]


def test_the_file_profile_asks_for_all_else():
    volumes = {"azureFileShares": [{}], "azureBlobFileSystems": [{}]}
    missing = [error.path[-1] for error in validate("job", wire(mountVolumes=volumes), "file")]
    assert missing == [
        *("azureFileUrl", "relativeMountPath"),
        *("accountName", "containerName", "relativeMountPath"),
    ]
    assert not is_valid("job", wire(nodeCount="2"), "file")


def test_what_the_command_line_filled_in_is_required_on_the_wire():
    for name, keys in FILLED_IN.items():
        assert set(keys) <= set(schema("job")["definitions"][name]["required"])


def test_the_strict_profile_takes_a_job_that_can_run():
    assert validate("job", wire(**RUNNABLE), "strict") == ()
    assert validate("job", {"$schema": "job.json", **wire(**RUNNABLE)}, "strict") == ()


@pytest.mark.parametrize("path", TOOLKIT_JOBS, ids=lambda path: path.stem)
def test_the_strict_profile_takes_every_toolkit(path):
    job = json.loads(path.read_text())
    job["properties"]["cluster"] = {"id": "x"}
    assert validate("job", job, "strict") == ()
    other = "cntkSettings" if "caffeSettings" in job["properties"] else "caffeSettings"
    job["properties"][other] = {}
    assert [error.keyword for error in validate("job", job, "strict")] == ["oneOf"]


def test_the_strict_profile_has_every_toolkit():
    toolkits = {
        branch["required"][0]
        for branch in schema("job", "strict")["properties"]["properties"]["oneOf"]
    }
    used = {key for path in TOOLKIT_JOBS for key in json.loads(path.read_text())["properties"]}
    assert len(toolkits) == 9
    assert toolkits == {key for key in used if key.endswith("Settings")} - {"containerSettings"}


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("job", [], [((), "expected a mapping, found a list")]),
        ("job", {}, [(("properties",), "the key 'properties' is missing")]),
        ("job", wire(**RUNNABLE) | {"x": 1}, [(("x",), "unknown key 'x'")]),
        (
            "job",
            {"properties": 1},
            [(("properties",), "properties: expected a mapping, found a whole number")],
        ),
        (
            "job",
            wire(**RUNNABLE | {"customToolkitSettings": {"processCount": 1}}),
            [
                (
                    ("properties", "customToolkitSettings", "commandLine"),
                    "customToolkitSettings: the key 'commandLine' is missing",
                ),
                (
                    ("properties", "customToolkitSettings", "processCount"),
                    "customToolkitSettings: unknown key 'processCount'",
                ),
            ],
        ),
        (
            "cluster",
            wire(vmSize="x", nodeSetup={"mountVolumes": {"nfs": []}}),
            [
                (
                    ("properties", "nodeSetup", "mountVolumes", "nfs"),
                    "mountVolumes: unknown key 'nfs'",
                ),
                (
                    ("properties", "userAccountSettings"),
                    "properties: the key 'userAccountSettings' is missing",
                ),
            ],
        ),
        (
            "fileServer",
            wire(),
            [
                (("properties", key), f"properties: the key {key!r} is missing")
                for key in ("vmSize", "sshConfiguration", "dataDisks")
            ],
        ),
    ],
)
def test_what_the_strict_profile_refuses(kind, data, expected):
    assert sorted(reported(kind, data, "strict")) == sorted(expected)


def test_the_strict_profile_names_the_toolkits_of_a_job():
    with_two = RUNNABLE | {"horovodSettings": {"pythonScriptFilePath": "x"}}
    (two,) = validate("job", wire(**with_two), "strict")
    assert two.path == ("properties", "horovodSettings")
    assert two.message.endswith("; found customToolkitSettings and horovodSettings")
    without = {key: value for key, value in RUNNABLE.items() if key != "customToolkitSettings"}
    (none,) = validate("job", wire(**without), "strict")
    assert none.path == ("properties",)
    assert none.message.endswith("; found none")
    assert none.expected.startswith("exactly one of cntkSettings, ")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("two", "a string"),
        (2.0, "a number with a decimal point"),
        (True, "a boolean"),
        (None, "nothing"),
        ([2], "a list"),
        ({}, "a mapping"),
    ],
)
def test_a_wrong_type_is_reported_for_the_branch_that_was_meant(value, found):
    settings = {"pythonScriptFilePath": "x", "processCount": value}
    (error,) = validate("job", wire(horovodSettings=settings))
    assert error.path == ("properties", "horovodSettings", "processCount")
    assert error.message == f"processCount: expected a whole number, found {found}"
    assert (error.expected, error.keyword) == ("a whole number", "type")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("STANDARD", "storageAccountType: expected one of Standard_LRS, Premium_LRS"),
        (1, "storageAccountType: expected a string, found a whole number"),
    ],
)
def test_a_wrong_choice_is_reported_once(value, message):
    disks = {"diskSizeInGB": 1, "diskCount": 1, "storageAccountType": value}
    place = ("properties", "dataDisks", "storageAccountType")
    assert reported("fileServer", wire(dataDisks=disks)) == [(place, message)]


def test_errors_come_in_the_order_of_the_document():
    variables = [{"name": "A", "value": 1} for _ in range(11)]
    document = wire(stdOutErrPathPrefix=1, secrets=variables, cluster={}, nodeCount="1")
    assert [error.path[1:] for error in validate("job", document)] == [
        ("stdOutErrPathPrefix",),
        *(("secrets", index, "value") for index in range(11)),
        ("cluster", "id"),
        ("nodeCount",),
    ]


def test_no_error_repeats_a_value():
    secret = "c2VjcmV0"
    document = wire(
        schedulingPriority=secret,
        nodeCount=secret,
        secrets=[secret, {"name": "A", "value": [secret]}],
        mountVolumes={"azureFileShares": [{"credentials": {"accountKey": {"x": secret}}}]},
    )
    errors = validate("job", document, "strict")
    assert len(errors) >= 5
    assert secret not in repr(errors)
