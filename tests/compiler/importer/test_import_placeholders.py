"""Placeholders of templates: the context's account, a reference to a secret, or a gap."""

import json

import pytest
from compiling import compile_spec, review
from linting import lint
from loading import load_text

from bai.compiler.compilation import Defaults
from bai.compiler.importer.importer import import_files
from bai.compiler.importer.names import ImportNames
from bai.compiler.resources.ids import Kind
from bai.linter.environment import LintEnvironment
from bai.specs.findings import errors
from bai.specs.syntax.reader import read

NAMES = ImportNames(workspace="w", resource_group="g", location="eastus", cluster="c")
ACCOUNT = "<AZURE_BATCHAI_STORAGE_ACCOUNT>"


def job(share=None, blob=None, **properties):
    volumes = {}
    if share is not None:
        address = {"azureFileUrl": "https://acct.file.core.windows.net/data"}
        volumes["azureFileShares"] = [address | share | {"relativeMountPath": "data"}]
    if blob is not None:
        names = {"accountName": "acct", "containerName": "data"}
        volumes["azureBlobFileSystems"] = [names | blob | {"relativeMountPath": "data"}]
    properties = {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data",
        "customToolkitSettings": {"commandLine": "true"},
        "mountVolumes": volumes,
    } | properties
    return json.dumps({"properties": properties}, indent=2)


def imported(text):
    documents, _ = read(text, "job.json")
    result = import_files(documents, NAMES, review)
    assert errors(result.findings) == ()
    return result


def compiled(result, **context):
    [spec] = load_text(result.text, "spec.yaml", "/nowhere").specs
    compilation = compile_spec(spec, Defaults(**context))
    (resource,) = compilation.of_kind(Kind.JOB)
    return compilation.findings, resource.to_wire()["properties"]["mountVolumes"]


@pytest.mark.parametrize(
    "share",
    [
        {"azureFileUrl": "https://[your account].file.core.windows.net/data"},
        {"azureFileUrl": "https://<your-account>.file.core.windows.net/data"},
        {
            "accountName": "[your account]",
            "azureFileUrl": "https://[your account].file.core.windows.net/data",
        },
        {"accountName": ACCOUNT, "azureFileUrl": "https://{acct}.file.core.windows.net/data"},
        {"azureFileUrl": "https://<account>.file.core.windows.net/data", "credentials": {}},
    ],
)
def test_the_account_of_a_template_becomes_the_contexts(share):
    result = imported(job(share))
    assert "data: azureFile:data\n" in result.text
    assert "%" not in result.text
    assert {f.code for f in result.findings} == {"BAI611"}
    findings, volumes = compiled(result, storage_account="mine")
    assert findings == ()
    assert volumes["azureFileShares"][0]["accountName"] == "mine"


def test_a_known_account_stands_in_the_address():
    share = {
        "accountName": "acct",
        "azureFileUrl": "https://[your account].file.core.windows.net/data",
    }
    assert "data: azureFile://acct/data\n" in imported(job(share)).text


def test_the_account_of_a_blob_container_becomes_the_contexts():
    result = imported(job(blob={"accountName": "<account>"}))
    assert "data: azureBlob:data\n" in result.text
    assert [f.code for f in result.findings] == ["BAI611"]


@pytest.mark.parametrize(
    ("volumes", "gap"),
    [
        (
            {"share": {"azureFileUrl": "https://acct.file.core.windows.net/<your share>"}},
            "account: acct\n            # fill in: <your share>\n            share: '?'\n",
        ),
        (
            {"share": {"azureFileUrl": "https://[a].file.core.windows.net/[your share]"}},
            "# fill in: [your share]\n            share: '?'\n",
        ),
        (
            {"share": {"azureFileUrl": "<your url>"}},
            "# fill in: <your url>\n            share: '?'\n",
        ),
        (
            {"blob": {"containerName": "data-{number}"}},
            "account: acct\n            # fill in: {number}\n            container: '?'\n",
        ),
    ],
)
def test_a_name_that_only_a_person_knows_is_a_gap(volumes, gap):
    result = imported(job(**volumes))
    assert gap in result.text
    assert {f.code for f in result.findings} == {"BAI611"}
    # It can be compiled as soon as it is filled in, and not before.
    findings, _ = compiled(result)
    assert [(f.code, f.message) for f in findings] == [("BAI611", "nothing fills in '?'")]
    [line] = {f.span.line for f in findings}
    assert "'?'" in result.text.split("\n")[line - 1]


@pytest.mark.parametrize("text", ["<STORAGE KEY>", "[your account key]", "{key}"])
def test_a_secret_of_a_template_becomes_a_reference(text):
    secrets = [{"name": "TOKEN", "value": text}]
    result = imported(job({"credentials": {"accountKey": text}}, secrets=secrets))
    assert "data: azureFile://acct/data\n" in result.text
    assert "TOKEN: env:TOKEN\n" in result.text
    assert [(f.code, f.hint) for f in result.findings] == [
        ("BAI611", "set AZURE_BATCHAI_STORAGE_KEY in the environment of bai"),
        ("BAI611", "set TOKEN in the environment of bai"),
    ]
    assert compiled(result)[0] == ()


def test_import_and_lint_see_a_placeholder_at_the_same_place():
    share = {
        "accountName": "[your account]",
        "azureFileUrl": "https://[your account].file.core.windows.net/<your share>",
        "credentials": {"accountKey": "<STORAGE KEY>"},
    }
    text = job(share)
    found = lint(text.encode(), "job.json", "/project", LintEnvironment())
    assert len(found) == 3
    placed = {(f.code, f.span) for f in imported(text).findings}
    assert len(placed) == 4
    # The linter reports a placeholder once, and names the other line.
    [(code, other)] = placed - {(f.code, f.span) for f in found}
    message = f"nothing fills in '[your account]', here and in line {other.line}"
    assert (code, message) in [(f.code, f.message) for f in found]


def test_lint_finds_placeholders_of_containers():
    text = job(blob={"containerName": "<your container>"})
    [finding] = lint(text.encode(), "job.json", "/project", LintEnvironment())
    assert (finding.code, finding.message) == ("BAI611", "nothing fills in '<your container>'")
    assert finding.hint == "write the container's name in its place"
