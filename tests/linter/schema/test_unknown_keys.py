"""Unknown keys of Batch AI's files: what they are taken for."""

import json

import pytest
from linting import lint

from bai.linter.environment import LintEnvironment

JOB = {
    "nodeCount": 1,
    "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs",
    "customToolkitSettings": {"commandLine": "hostname"},
}


def findings(properties):
    text = json.dumps({"properties": properties})
    return lint(text.encode(), "job.json", "/project", LintEnvironment())


def unknown_keys(properties):
    found = findings(properties)
    return [(each.message, each.hint) for each in found if each.code == "BAI201"]


def test_a_key_that_is_there_is_not_offered_for_one_that_looks_a_bit_like_it():
    [(_, hint)] = unknown_keys(JOB | {"diskCount": 2})
    assert hint.startswith("valid here: ")
    [(_, hint)] = unknown_keys(JOB | {"nodCount": 2})
    assert hint == "did you mean nodeCount? It is there as well: keep one of them"


def test_unknown_keys_are_found_however_deep_they_stand_behind_others():
    image = {"imageSourceRegistri": {"credential": {"passwordSecretReference": {"sourceVaul": 1}}}}
    messages = [message for message, _ in unknown_keys(JOB | {"containerSetings": image})]
    assert messages == [
        "unknown key 'containerSetings'",
        "unknown key 'imageSourceRegistri'",
        "unknown key 'credential'",
        "unknown key 'sourceVaul'",
    ]


def test_a_key_of_another_toolkit_makes_no_second_toolkit():
    job = JOB | {"workerCount": 2}
    [(_, hint)] = unknown_keys(job)
    assert hint == (
        "leave it out: workerCount is for tensorFlowSettings, "
        "and the job's toolkit is customToolkitSettings"
    )
    assert "BAI701" not in [each.code for each in findings(job)]


HOROVOD = {key: value for key, value in JOB.items() if key != "customToolkitSettings"}
SCRIPT = {"pythonScriptFilePath": "$AZ_BATCHAI_JOB_MOUNT_ROOT/logs/train.py"}


@pytest.mark.parametrize("toolkit", ["horovodSetings", "horovod_settings", "horovodSettings"])
def test_a_misspelt_toolkit_counts_as_the_one_that_is_meant(toolkit):
    keys = dict(unknown_keys(HOROVOD | {"processCount": 4, toolkit: SCRIPT}))
    assert keys["unknown key 'processCount'"] == "it belongs in properties.horovodSettings"
    found = findings(HOROVOD | {"communicationBackend": "Gloo", "pyTorchSetings": SCRIPT})
    assert "BAI202" not in [each.code for each in found]
    [(_, hint)] = unknown_keys(JOB | {"processCount": 4})
    assert "the job's toolkit is customToolkitSettings" in hint
