"""Every code has a page, and what the examples on it say is true."""

import json
import re
import textwrap
from pathlib import Path

import pytest
import yaml

import bai
from bai.compiler.lint.linter import Surroundings, lint
from bai.compiler.rules.catalogue import catalogue
from bai.compiler.rules.pages import read_page
from bai.compiler.rules.registry import RULES
from bai.compiler.rules.rule import Stage

PAGES = catalogue()
SOURCES = Path(next(iter(bai.__path__)))

JOB = {
    "cluster": "gpu",
    "nodeCount": 1,
    "mounts": {"data": "azureFile:data"},
    "logs": "${mounts.data}",
}
TOOLKITS = {"custom", "customMpi", "horovod", "tensorFlow", "pyTorch", "cntk", "caffe", "caffe2"}
TOOLKITS |= {"chainer"}
SPEC = {"clusters": {"gpu": {"vmSize": "STANDARD_NC6", "scale": 1}}}
JOB_JSON = {
    "nodeCount": 1,
    "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data",
    "mountVolumes": {
        "azureFileShares": [
            {
                "azureFileUrl": "https://<AZURE_BATCHAI_STORAGE_ACCOUNT>.file.core.windows.net/d",
                "relativeMountPath": "data",
            }
        ]
    },
}
CLUSTER_JSON = {
    "vmSize": "STANDARD_NC6",
    "scaleSettings": {"manual": {"targetNodeCount": 1}},
    "userAccountSettings": {"adminUserName": "me", "adminUserSshPublicKey": "ssh-rsa AAAA"},
}


def framed(example):
    """The whole file that an example is a part of, and its name."""
    if example.frame == "file":
        return example.text, "file.json" if example.text.startswith("{") else "file.yaml"
    if example.frame == "job.json":
        properties = JOB_JSON | json.loads(example.text)
        if not any(re.search("(?<!ner)Settings$", key) for key in properties):
            properties |= {"customToolkitSettings": {"commandLine": "hostname"}}
        return json.dumps({"properties": properties}, indent=2), "job.json"
    if example.frame == "cluster.json":
        properties = CLUSTER_JSON | json.loads(example.text)
        return json.dumps({"properties": properties}, indent=2), "cluster.json"
    head = "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: example}\nspec:\n"
    if example.frame == "spec":
        return head + indented(example.text, 2), "experiment.yaml"
    part = yaml.load(example.text, yaml.BaseLoader)
    rest = {key: value for key, value in JOB.items() if key not in part}
    if TOOLKITS.isdisjoint(part):
        rest["custom"] = {"command": "hostname"}
    lines = "".join(f"      {key}: {json.dumps(value)}\n" for key, value in rest.items())
    text = f"{head}  clusters: {json.dumps(SPEC['clusters'])}\n  jobs:\n    train:\n"
    return text + lines + indented(example.text, 6), "experiment.yaml"


def indented(text, columns):
    return textwrap.indent(text, " " * columns)


def found(example, folder):
    text, name = framed(example)
    content = text.encode("utf-8", "surrogateescape")
    return lint(content, name, str(folder), Surroundings())


CHECKED = [
    code
    for code, (rule, _) in PAGES.items()
    if rule.stage in (Stage.READING, Stage.COMPILING, Stage.CHECKING)
]


@pytest.mark.parametrize("code", CHECKED)
def test_the_wrong_example_is_found_and_the_right_one_is_clean(code, tmp_path):
    rule, page = PAGES[code]
    wrong = found(page.wrong, tmp_path)
    assert {finding.code for finding in wrong} == {code}, wrong
    assert {finding.severity for finding in wrong} == {rule.severity}
    assert all(finding.span for finding in wrong)
    assert found(page.right, tmp_path) == ()


def test_every_code_that_is_raised_has_a_page_and_the_other_way_round():
    raised = set()
    for path in (path for room in SOURCES.iterdir() for path in room.rglob("*.py")):
        raised |= set(re.findall(r'"(BAI\d{3})"', path.read_text()))
    assert raised == set(PAGES)


def test_the_registry_holds_all_rules_that_check():
    assert [rule for rule, _ in PAGES.values() if rule.check] == list(RULES)
    assert all((rule.stage is Stage.CHECKING) == bool(rule.check) for rule, _ in PAGES.values())


def test_a_page_that_lacks_something_is_refused():
    with pytest.raises(ValueError, match="must have its code"):
        read_page("BAI101: x.\n\nWhy.\n", "BAI101")
    with pytest.raises(ValueError, match="why it matters"):
        read_page("BAI101: x.\n\nWrong (file):\n\n    a\n\nRight (file):\n\n    b\n", "BAI101")
