"""Placeholders that nothing fills in: in every key of a volume, in files and in specs."""

import json

import pytest

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


def spec(mount):
    return f"""\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: t, resourceGroup: g, workspace: w, location: l}}
spec:
  clusters: {{c: {{vmSize: STANDARD_D2_V2, scale: 1}}}}
  jobs:
    j:
      nodeCount: 1
      mounts: {{r: {mount}}}
      logs: ${{mounts.r}}
      custom: {{command: hostname}}
"""


def found(text, name="job.json"):
    return Linter().content(text.encode(), name).findings


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
def test_a_slip_in_a_placeholder_is_mended(tmp_path, share):
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


@pytest.mark.parametrize(
    ("share", "name"),
    [
        (url("<your account>"), "<your account>"),
        (url("[your-account]"), "[your-account]"),
        (url("{your-account}"), "{your-account}"),
        (url("store", "<your share>"), "<your share>"),
        (url("store", "{your-share}"), "{your-share}"),
        ({"azureFileUrl": "<your url>"}, "<your url>"),
        ({"azureFileUrl": "[your url]"}, "[your url]"),
        (url(KEY), KEY),
        (key("<your key>"), "<your key>"),
        (key("[your account key]"), "[your account key]"),
        (key("{your-key}"), "{your-key}"),
        (key(ACCOUNT), ACCOUNT),
        (key("<secret STORAGE>"), "<secret STORAGE>"),
        ({"accountName": "[your account]"}, "[your account]"),
    ],
)
def test_what_a_person_left_to_fill_in_is_told(share, name):
    (finding,) = found(job(share))
    assert (finding.code, finding.message) == ("BAI611", f"nothing fills in {name!r}")
    assert finding.hint
    assert finding.fix is None


@pytest.mark.parametrize(
    ("mount", "name"),
    [
        ('"azureFile:<your-share>"', "<your-share>"),
        ('"azureFile:{share}"', "{share}"),
        (f'{{azureFile: {{url: "https://store.{HOST}/<share>"}}}}', "<share>"),
    ],
)
def test_specs(mount, name):
    (finding,) = found(spec(mount), "spec.yaml")
    assert (finding.code, finding.message) == ("BAI611", f"nothing fills in {name!r}")
    assert finding.hint == "write the share's name in its place"


@pytest.mark.parametrize(
    "share",
    [
        *(key(KEY), key("<secret env:STORAGE_KEY>"), key("[parameters('key')]"), url(ACCOUNT)),
        *({"accountName": ACCOUNT}, {"accountName": "[parameters('account')]"}),
        {"azureFileUrl": "[concat('https://', parameters('a'), '.file.core.windows.net/x')]"},
        url("azurebatchaistorage") | {"accountName": "azurebatchaistorage"},
    ],
)
def test_what_is_filled_in_is_left_alone(share):
    # BAI208 says that only templates know expressions.
    assert {finding.code for finding in found(job(share))} <= {"BAI208"}
