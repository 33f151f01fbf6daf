"""The screen of job files: it accepts usual ones, and none that a rule has a finding about."""

import itertools
import json
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bai.compiler.batchai.recognition import batchai_kind
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.texts import texts
from bai.linter.context import RuleContext
from bai.linter.resource_view import ResourceView
from bai.linter.rules.registry import all_rules
from bai.linter.rules.rule import Form, rule
from bai.linter.rules.screen import screen
from bai.linter.secrets.prefilter import NO_SUSPECT, is_suspect
from bai.schemas.validators import compiled
from bai.specs.parsed_file import ParsedFile

RULES = Path(__file__).parent
SCREENED = [
    each
    for each in all_rules()
    if each.accepts and Kind.JOB in (each.kinds or [Kind.JOB]) and each.form in (None, Form.FILE)
]
PASSES = screen(SCREENED)
VAULT = (
    "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/lab/providers"
    "/Microsoft.KeyVault/vaults/keys"
)
SECRET = {
    "sourceVault": {"id": VAULT},
    "secretUrl": "https://keys.vault.azure.net/secrets/account/0123456789abcdef0123456789abcdef",
}
FILE = {
    "$schema": "https://raw.githubusercontent.com/Azure/BatchAI/master/schemas/2018-05-01/job.json",
    "properties": {
        "nodeCount": 2,
        "containerSettings": {
            "imageSourceRegistry": {
                "serverUrl": "lab.azurecr.io",
                "image": "lab.azurecr.io/vision/trainer:1.2",
                "credentials": {"username": "lab", "passwordSecretReference": SECRET},
            },
            "shmSize": "8g",
        },
        "pyTorchSettings": {
            "pythonScriptFilePath": "$AZ_BATCHAI_INPUT_CODE/train.py",
            "commandLineArgs": "--lr 0.1 --data ${AZ_BATCHAI_JOB_MOUNT_ROOT}/data/train",
            "processCount": 2,
            "communicationBackend": "gloo",
        },
        "jobPreparation": {"commandLine": "pip install -r $AZ_BATCHAI_INPUT_CODE/needs.txt"},
        "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/share",
        "mountVolumes": {
            "azureFileShares": [
                {
                    "accountName": "labstore",
                    "azureFileUrl": "https://labstore.file.core.windows.net/share",
                    "credentials": {"accountKeySecretReference": SECRET},
                    "relativeMountPath": "share",
                    "fileMode": "0777",
                }
            ],
            "azureBlobFileSystems": [
                {
                    "accountName": "<AZURE_BATCHAI_STORAGE_ACCOUNT>",
                    "containerName": "images",
                    "credentials": {"accountKey": "<AZURE_BATCHAI_STORAGE_KEY>"},
                    "relativeMountPath": "data",
                    "mountOptions": "-o attr_timeout=240",
                }
            ],
            "fileServers": [
                {
                    "fileServer": {
                        "id": VAULT.replace(
                            "KeyVault/vaults/keys", "BatchAI/workspaces/w/fileServers/nfs"
                        )
                    },
                    "sourceDirectory": "data",
                    "relativeMountPath": "nfs",
                }
            ],
            "unmanagedFileSystems": [
                {"mountCommand": "mount -t nfs 10.0.0.4:/data", "relativeMountPath": "lustre"}
            ],
        },
        "inputDirectories": [{"id": "CODE", "path": "$AZ_BATCHAI_JOB_MOUNT_ROOT/share/code"}],
        "outputDirectories": [
            {"id": "MODEL", "pathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/share", "pathSuffix": "m/1"}
        ],
        "environmentVariables": [{"name": "OMP_NUM_THREADS", "value": "2"}],
        "secrets": [{"name": "TOKEN", "valueSecretReference": SECRET}],
        "constraints": {"maxWallClockTime": "PT12H"},
    },
}
TEXT = json.dumps(FILE)
COMMAND = ("properties", "customToolkitSettings", "commandLine")
PATHS = (
    [COMMAND]
    + [path for path, _ in texts(FILE).found]
    + [
        ("properties", "nodeCount"),
        ("properties", "pyTorchSettings", "processCount"),
        ("properties", "mountVolumes", "azureBlobFileSystems", 0, "credentials"),
        ("properties", "mountVolumes", "azureFileShares", 0, "credentials"),
        ("properties", "containerSettings", "imageSourceRegistry", "credentials"),
        ("properties", "secrets", 0),
    ]
)
ODD = ["", " ", "?", "AZ_BATCHAI_X", "python x.py", "$AZ_BATCHAI_INPUT_CODE/x", "..", "$", "$$"]
ODD += ["stdouterr", "env:A", "é", 0, -1, 2**31, 2**70, {}, None]
ODD += ["a 'b", "a > b", "python x.py &", "a \\ \nb", "$ python x.py", "${mounts.a}/b", "[f('x')]"]
SECRETS = ["ghp_" + "a1B2" * 9, "--password Tr0ub4dor", "aB3/" * 12, "curl -u me:Tr0ub4dor x"]
PIECES = [
    *("password", "TOKEN", "key", "Credential", "pwd", " ", "=", ":", '"', "--", "/", ".", "\n"),
    *("@", "https://", "curl -u a", "mysql -p", "x" * 30, "aB3" * 9, "AB_" * 8, "aB3/" * 5, "é"),
    *("$AZ_BATCHAI_JOB_MOUNT_ROOT/", "AccountKey=", "ghp_", "==", "data", "-", "+", "0", "Z"),
]


def view(data):
    return ResourceView(Kind.JOB, data)


def passes(data):
    job = view(data)
    return PASSES(job, RuleContext([job]))


def with_value(path, value):
    holder = data = json.loads(TEXT)
    if path is COMMAND:
        del data["properties"]["pyTorchSettings"]
        data["properties"]["customToolkitSettings"] = {}
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return data


def findings(data):
    """Return the codes of the screened rules with findings."""
    job = view(data)
    context = RuleContext([job])
    return [each.code for each in SCREENED if any(each.check(job, context))]


@cache
def golden_jobs():
    files = [path for path in RULES.glob("BAI*/*") if path.suffix in (".json", ".yaml")]
    found = [ParsedFile(path.read_bytes(), path.name, "").data or () for path in files]
    return [data for documents in found for data in documents if batchai_kind(data) is Kind.JOB]


@cache
def pool():
    """Return the texts of all golden files of jobs, which have what rules look for."""
    found = {text for data in golden_jobs() for _, text in texts(data).found}
    found |= {text for path in RULES.glob("BAI*/*.json") for text in _strings(path.read_text())}
    return [*SECRETS, *ODD, *sorted(text for text in found if len(text) < 300)]


def _strings(text):
    for literal in re.findall(r'"(?:[^"\\\n]|\\.)*"', text):
        try:
            yield json.loads(literal)
        except ValueError:
            continue


def test_a_usual_file_passes():
    assert passes(FILE)
    assert findings(FILE) == []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ".".join(map(str, path[1:])) or path[0])
def test_what_passes_has_no_findings(path):
    assert [
        value for value in pool() if passes(data := with_value(path, value)) and findings(data)
    ] == []


def test_every_screened_rule_finds_something_here():
    """Else a rule's screen might accept what the rule would find, and no test would see it."""
    missing = {each.code for each in SCREENED}
    tried = (with_value(path, value) for value in pool() for path in PATHS)
    for data in itertools.chain(golden_jobs(), tried):
        missing -= set(findings(data))
        if not missing:
            break
    assert missing == set()


def test_golden_files_that_pass_have_no_findings():
    assert [data for data in golden_jobs() if passes(data) and findings(data)] == []


# About as long as a run must be to look random, in parts of all lengths.
RUNS = st.from_regex(r"(?:[A-Z_]{0,30}|[a-z+]{0,20}|[aB9-]{0,40}|/){1,9}", fullmatch=True)
SHORT_PARTS = st.from_regex(r"[A-Z9]{1,15}/[aB9]{12}/[aB9/]{11,30}", fullmatch=True)


@given(
    RUNS.filter(lambda text: 36 <= len(text) <= 48)
    | SHORT_PARTS
    | st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=8).map("".join)
)
@example("password\x1f")
def test_no_suspect_passes(text):
    assert not (is_suspect(text) and compiled(NO_SUSPECT)(text))


def test_an_unknown_place_is_refused():
    @rule("BAI999", accepts={"shmsize": {"pattern": "x"}})
    def check(_):
        yield from ()

    with pytest.raises(ValueError, match="job files have no place shmsize"):
        screen([check])
