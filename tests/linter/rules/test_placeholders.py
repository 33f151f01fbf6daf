"""Placeholders that nothing fills in: in every key of a volume, in files and in specs."""

import json

import pytest
from compiling import compile_specs
from loading import load_text

from bai.compiler.compilation import Defaults
from bai.linter.driver.fixing import fixed
from bai.linter.driver.linter import Linter

ACCOUNT = "<AZURE_BATCHAI_STORAGE_ACCOUNT>"
KEY = "<AZURE_BATCHAI_STORAGE_KEY>"
HOST = "file.core.windows.net"


def job(share):
    volume = {"azureFileUrl": f"https://{ACCOUNT}.{HOST}/data", "relativeMountPath": "data"} | share
    properties = {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data",
        "mountVolumes": {"azureFileShares": [volume]},
        "customToolkitSettings": {"commandLine": "hostname"},
    }
    return json.dumps({"properties": properties}, indent=2)


def key(value):
    return {"credentials": {"accountKey": value}}


def url(account, share="data"):
    return {"azureFileUrl": f"https://{account}.{HOST}/{share}"}


@pytest.mark.parametrize(
    "share",
    [
        *(url("<AZURE_BATCHAI_STORAGE_ACOUNT>"), url("<azure_batchai_storage_account>")),
        *(url("AZURE_BATCHAI_STORAGE_ACCOUNT"), url("{AZURE_BATCHAI_STORAGE_ACCOUNT}")),
        *(url("<AZURE_BATCHAI_STORAGE_ACCOUNT"), url("$AZURE_BATCHAI_STORAGE_ACCOUNT")),
        url("<AZURE_BATCHAI_STORAGE_ACOUNT>") | {"accountName": ACCOUNT},
        url("<AZURE_BATCHAI_STORAGE_ACOUNT>") | {"accountName": "store"},
        *(key("<AZURE_BATCHAI_STORAGE_KEYS>"), key("<AZURE-BATCHAI-STORAGE-KEY>")),
        *(key("AZURE_BATCHAI_STORAGE_KEY"), key("$AZURE_BATCHAI_STORAGE_KEY")),
        *(key("<AZURE_BATCHI_STORAGE_KEY>"), key("[AZURE_BATCHAI_STORAGE_KEY]")),
    ],
)
def test_an_error_in_a_placeholder_is_fixed(tmp_path, share):
    path = tmp_path / "job.json"
    path.write_text(job(share))
    linter = Linter()
    (finding,) = linter.file(str(path)).findings
    assert finding.code == "BAI611"
    meant = KEY if "credentials" in share else ACCOUNT
    assert finding.hint == f"did you mean {meant}?"
    result = fixed(linter, linter.file(str(path)))
    assert result
    right = key(KEY) if "credentials" in share else url(ACCOUNT)
    assert json.loads(result.text) == json.loads(job(share | right))


def several(number):
    """Return a job in YAML whose shares have the same placeholder."""
    share = """\
    - azureFileUrl: https://<account>.file.core.windows.net/data%d
      relativeMountPath: data%d
"""
    head = "properties:\n  nodeCount: 1\n  mountVolumes:\n    azureFileShares:\n"
    return head + "".join(share % (index, index) for index in range(number))


@pytest.mark.parametrize(
    ("number", "where"),
    [
        (1, ""),
        (2, ", here and in line 7"),
        (5, ", here and in lines 7, 9, 11 and 13"),
        (11, ", here and in lines 7, 9, 11, 13, 15, 17, 19, 21, 23 and 25"),
        (13, ", here and in lines 7, 9, 11, 13, 15, 17, 19, 21, 23, 25 and 2 more"),
    ],
)
def test_a_placeholder_in_several_places_is_one_finding(number, where):
    found = Linter().content(several(number).encode(), "job.yaml").findings
    (finding,) = [each for each in found if each.code == "BAI611"]
    assert finding.message == f"nothing fills in '<account>'{where}"
    assert finding.span.line == 5


HEAD = "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: %s}\nspec:\n"
CLUSTER = "  clusters: {c: {vmSize: STANDARD_D2_V2, scale: 1, mounts: {x: 'azureFile:<share>'}}}\n"
JOBS = "  jobs:\n" + "".join(
    f"    {name}:\n      nodeCount: 1\n      mounts: {{a: 'azureFile:<share>'}}\n"
    "      logs: ${mounts.a}\n      custom: {command: hostname}\n"
    for name in ("one", "two")
)


@pytest.mark.parametrize(
    ("text", "line", "where"),
    [
        (HEAD % "a" + CLUSTER + JOBS, 5, "lines 9 and 14"),
        (HEAD % "a" + JOBS + CLUSTER, 8, "lines 13 and 16"),
        (f"{HEAD}{CLUSTER}---\n{HEAD}{CLUSTER}" % ("a", "b"), 5, "line 11"),
    ],
)
def test_a_placeholder_of_several_resources_of_a_file_is_one_finding(text, line, where):
    (finding,) = Linter().content(text.encode(), "spec.yaml").findings
    assert finding.message == f"nothing fills in '<share>', here and in {where}"
    assert finding.span.line == line


def test_a_placeholder_in_several_files_is_a_finding_in_each():
    loaded = [load_text(HEAD % name + CLUSTER, f"{name}.yaml", "/").specs[0] for name in "ab"]
    compiled = compile_specs(loaded, Defaults("s", "g", "w", "l"))
    for name, compilation in zip("ab", compiled, strict=True):
        (finding,) = compilation.findings
        assert (finding.code, finding.message) == ("BAI611", "nothing fills in '<share>'")
        assert (finding.span.file, finding.span.line) == (f"{name}.yaml", 5)


def test_a_misspelt_placeholder_is_a_finding_for_each_place():
    text = several(2).replace("<account>", "<AZURE_BATCHAI_STORAGE_ACOUNT>")
    found = [each for each in Linter().content(text.encode(), "job.yaml").findings if each.fix]
    assert [(each.code, each.span.line) for each in found] == [("BAI611", 5), ("BAI611", 7)]
