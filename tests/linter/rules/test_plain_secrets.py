"""Secrets in plain sight: found in files and specs, at their place, and never shown."""

import base64
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linting import lint

from bai.cli.render.sources import Sources
from bai.compiler.compilation import Defaults
from bai.compiler.compile import compile_specs
from bai.compiler.resources.ids import Kind
from bai.linter.check import check
from bai.linter.environment import LintEnvironment
from bai.linter.resource_view import ResourceView
from bai.linter.rules.secrets.plain_secrets import plain_secrets

KEY = base64.b64encode(random.Random(3).randbytes(64)).decode()
SIGNATURE = "Zm9vYmFyYmF6cXV4%2Bquux0%3D"
SAS = f"https://a.blob.core.windows.net/c?sv=2017-07-29&se=2019&sig={SIGNATURE}"
DEFAULTS = Defaults("s", "g", "w", "l")
LOGS = "$AZ_BATCHAI_JOB_MOUNT_ROOT/data"
JOB = {
    "nodeCount": 1,
    "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/logs",
    "customToolkitSettings": {"commandLine": "hostname"},
}


def found(properties, name="job.json"):
    text = json.dumps({"properties": JOB | properties}, indent=2)
    findings = lint(text.encode(), name, "/project", LintEnvironment(lambda: DEFAULTS))
    return text, findings


def share(credentials):
    volume = {
        "accountName": "store",
        "azureFileUrl": "https://store.file.core.windows.net/data",
        "relativeMountPath": "data",
        "credentials": credentials,
    }
    return {"mountVolumes": {"azureFileShares": [volume]}, "stdOutErrPathPrefix": LOGS}


@pytest.mark.parametrize(
    ("properties", "code", "secret"),
    [
        ({"customToolkitSettings": {"commandLine": f'azcopy "{SAS}" .'}}, "BAI607", SIGNATURE),
        ({"jobPreparation": {"commandLine": f'x\n\t"{KEY}"'}}, "BAI607", KEY),
        ({"environmentVariables": [{"name": "X", "value": f"a={KEY}"}]}, "BAI607", KEY),
        ({"environmentVariables": [{"value": "5f0c1e9ab7d2", "name": "MY_TOKEN"}]}, "BAI608", None),
        ({"customToolkitSettings": {"commandLine": "x --password Tr0ub4dor_3"}}, "BAI608", None),
        ({"customToolkitSettings": {"commandLine": "x --password hunter2"}}, "BAI608", "hunter2"),
        ({"jobPreparation": {"commandLine": 'bash -c "sshpass -p pw x"'}}, "BAI608", "pw"),
        ({"jobPreparation": {"commandLine": "curl -u me:pw https://h/x"}}, "BAI608", "pw"),
        ({"environmentVariables": [{"name": "PASSWORD", "value": "pw"}]}, "BAI608", "pw"),
        ({"environmentVariables": [{"name": "API_KEY", "value": "ab-cd"}]}, "BAI608", "ab-cd"),
        ({"secrets": [{"name": "X", "value": "hunter2"}]}, "BAI609", '"hunter2"'),
        (share({"accountKey": "hunter2"}), "BAI609", '"hunter2"'),
        ({"secrets": [{"name": "X", "value": "Tr0ub4dor_3"}]}, "BAI609", '"Tr0ub4dor_3"'),
        (share({"accountKey": KEY}), "BAI609", f'"{KEY}"'),
    ],
)
def test_a_secret_in_a_file_is_found_and_hidden(properties, code, secret):
    text, (finding,) = found(properties)
    assert finding.code == code
    line = text.split("\n")[finding.span.line - 1]
    shown = Sources({"job.json": text}).line(finding)
    hidden = line[finding.span.column - 1 : finding.span.end_column - 1]
    assert secret in (None, hidden)
    assert secret or len(hidden) > 10
    assert hidden not in shown
    assert len(shown) == len(line)
    for private in (KEY, SIGNATURE, "Tr0ub4dor_3", "5f0c1e9ab7d2"):
        assert private not in f"{finding.message} {finding.hint} {shown}"


@pytest.mark.parametrize("value", ["mypassword", "Exchange2018!", "Sample#4417x", "Replace8Kx"])
def test_a_password_in_an_environment_is_one_whatever_it_looks_like(load_spec, value):
    spec = load_spec(
        "clusters: {c: {vmSize: STANDARD_D2_V2, scale: 1}}\n"
        "jobs:\n  j:\n    nodeCount: 1\n    mounts: {r: azureFile:results}\n"
        "    logs: ${mounts.r}\n    custom: {command: hostname}\n"
        f"    environment: {{DB_PASSWORD: '{value}'}}\n"
    )
    [checked] = check([spec], compile_specs([spec], DEFAULTS))
    assert [finding.code for finding in checked.findings] == ["BAI608"]
    _, (finding,) = found(variable(value, "DB_PASSWORD"))
    assert finding.code == "BAI608"


def variable(value, name="API_TOKEN"):
    return {"environmentVariables": [{"name": name, "value": value}]}


def test_the_hint_in_a_spec_says_where_references_go():
    spec = (
        "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: t}\nspec:\n"
        "  clusters: {c: {vmSize: STANDARD_D2_V2, scale: 1}}\n  jobs:\n    j:\n"
        "      nodeCount: 1\n      mounts: {r: azureFile:results}\n      logs: ${mounts.r}\n"
        "      custom: {command: hostname}\n      environment:\n        "
    )

    def reported(variables):
        return lint((spec + variables).encode(), "s.yaml", "/p", LintEnvironment(lambda: DEFAULTS))

    (finding,) = reported("API_TOKEN: env:API_TOKEN\n        PLAIN: x\n")
    assert (finding.code, finding.fix) == ("BAI610", None)
    assert finding.hint == "write it under `secrets`: API_TOKEN: env:API_TOKEN"
    (finding,) = reported("API_TOKEN: {keyVault: {vault: v, url: u}}\n")
    assert finding.code == "BAI203"
    assert finding.hint == "references to secrets stand under `secrets`, where a job has such"
    (finding,) = reported("A: env:A\n      secrets: {B: env:B}\n")
    assert (finding.code, finding.fix) == ("BAI610", None)


def test_references_are_found_by_the_rule_and_not_by_the_compiler(load_spec):
    spec = load_spec(
        "clusters: {c: {vmSize: STANDARD_D2_V2, scale: 1}}\n"
        "jobs:\n  j:\n    nodeCount: 1\n    mounts: {r: azureFile:results}\n"
        "    logs: ${mounts.r}\n    custom: {command: hostname}\n"
        "    environment: {API_TOKEN: env:API_TOKEN}\n"
    )
    compilation = compile_specs([spec], DEFAULTS)[0]
    assert compilation.findings == ()
    [checked] = check([spec], [compilation])
    [finding] = checked.findings
    assert finding.code == "BAI610"
    assert finding.fix.edits[0].text == "secrets"


def test_references_of_a_setup_task_and_with_expressions_are_reported_as_written(load_spec):
    spec = load_spec(
        "clusters:\n  c:\n    vmSize: STANDARD_D2_V2\n    scale: 1\n"
        "    mounts: {r: azureFile:results}\n"
        "    setupTask:\n      command: hostname\n      logs: ${mounts.r}\n"
        '      environment: {TOKEN: "file:${mounts.r}/token"}\n'
    )
    [checked] = check([spec], compile_specs([spec], DEFAULTS))
    [finding] = checked.findings
    assert finding.hint == "write it under `secrets`: TOKEN: file:${mounts.r}/token"
    assert (finding.code, finding.fix.edits[0].text) == ("BAI610", "secrets")


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=20) | st.just(KEY),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["value", "name", "secrets", "accountKey", "password", "properties"]),
            inner,
            max_size=4,
        )
    ),
)


@given(JSON)
def test_data_of_any_shape_is_looked_through(data):
    for one in plain_secrets(ResourceView(Kind.JOB, data)):
        assert 0 <= one.secret.start < one.secret.end
