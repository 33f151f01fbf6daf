"""One slip in a spec does not hide what else is wrong with it."""

import pytest
from linting import lint

from bai.compiler.compilation import Defaults
from bai.linter.environment import LintEnvironment

DEFAULTS = Defaults("s", "g", "w", "l", "store")

SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {name: lab}
spec:
  clusters: {pair: {vmSize: STANDARD_NC6, scale: 2}}
  jobs:
    train:
      nodeCount: 3
      mounts: {data: "azureFile:data"}
      logs: ${mounts.data}
      outputs: {MODEL: "${mounts.data}"}
      pyTorch:
        script: $AZ_BATCHAI_JOB_MOUNT_ROOT/code/train.py
        args: --to $AZ_BATCHAI_OUTPUT_MODEL
"""
# The job is larger than its cluster, and its script on a mount that is not there.
OTHERS = ["BAI506", "BAI801"]


def codes(text):
    findings = lint(text.encode(), "experiment.yaml", "/project", LintEnvironment(lambda: DEFAULTS))
    return sorted(finding.code for finding in findings)


def test_the_spec_alone():
    assert codes(SPEC) == OTHERS


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [
        ("args: --to $AZ_BATCHAI_OUTPUT_MODEL", "args: {--to: $AZ_BATCHAI_OUTPUT_MODEL}", "BAI203"),
        ("args:", "arg:", "BAI201"),
        ("args:", "frobnicate:", "BAI201"),
        ("script:", "scirpt:", "BAI201"),
        ("mounts: {", "mount: {", "BAI201"),
        ("nodeCount: 3", "nodecount: 3", "BAI201"),
        ("nodeCount: 3", "nodeCount: 3\n      nodecount: 3", "BAI201"),
        ("logs:", "stdOutErrPathPrefix:", "BAI201"),
        ("nodeCount: 3", "nodeCount: 3\n      priority: [high]", "BAI301"),
        ("nodeCount: 3", "nodeCount: 3\n      timeLimit: soon", "BAI306"),
        ("pyTorch:", "pyTorhc: {script: x}\n      pyTorch:", "BAI201"),
    ],
)
def test_an_error_hides_nothing_else(right, wrong, code):
    assert codes(SPEC.replace(right, wrong)) == sorted([code, *OTHERS])


@pytest.mark.parametrize(
    ("right", "wrong", "reported"),
    [
        # BAI801 leans on both numbers of nodes.
        ("nodeCount: 3", "nodeCount: three", ["BAI203"]),
        ("nodeCount: 3", 'nodecount: "3"', ["BAI201", "BAI203"]),
        ("scale: 2", "scale: [2]", ["BAI203"]),
    ],
)
def test_what_leans_on_a_wrong_value_is_not_reported(right, wrong, reported):
    assert codes(SPEC.replace(right, wrong)) == [*reported, "BAI506"]


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [
        ('"azureFile:data"', "azurefile:data", "BAI501"),
        ("nodeCount: 3", "nodeCount: 3\n      retries: 3", "BAI201"),
        ("nodeCount: 3", "nodeCount: 3\n      environment: {A: [b]}", "BAI203"),
        ("nodeCount: 3", "nodeCount: 3\n      secrets: {A: plain}", "BAI601"),
        ("kind: Experiment", "kind: experiment", "BAI205"),
        ("name: lab", "name: my lab", "BAI302"),
        ("STANDARD_NC6", '""', "BAI304"),
        ("scale: 2", "scale: 2, gpus: 4", "BAI201"),
    ],
)
def test_what_others_lean_on_is_stood_in_for(right, wrong, code):
    assert codes(SPEC.replace(right, wrong)) == sorted([code, *OTHERS])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('mounts: {data: "azureFile:data"}', "mounts: [data]"),
        ("clusters: {pair:", "clusters: {pa ir:"),
        ("  jobs:", "  machines: {nc: 6}\n  jobs:"),
    ],
)
def test_it_is_said_that_there_may_be_more(right, wrong):
    text = SPEC.replace(right, wrong).encode()
    [finding] = lint(text, "experiment.yaml", "/project", LintEnvironment(lambda: DEFAULTS))
    assert finding.hint.endswith("The rest is checked once this is fixed")


@pytest.mark.parametrize(
    ("missing", "found"),
    [
        (", scale: 2", ["BAI202", "BAI506"]),
        # These have defaults, and only one node fits.
        ("      nodeCount: 3\n", ["BAI506"]),
        ("      logs: ${mounts.data}\n", OTHERS),
        ("vmSize: STANDARD_NC6, ", OTHERS),
    ],
)
def test_what_is_missing_hides_nothing_else(missing, found):
    assert missing in SPEC
    assert codes(SPEC.replace(missing, "")) == found


@pytest.mark.parametrize(
    ("wrong", "keeps"),
    [
        ("mounts: [data]\n      priority: hi", "mounts: expected"),
        ('mounts: {data: "azureFile:data"}\n      priority: hi\n      cluster: [pair]', "cluster:"),
        ('mounts: {data: "azureFile:data"}\n      prority: hi\n      envronment: [A]', "environ"),
        ('mounts: {data: "azureFile:data"}\n      container: {}\n      preparation: []', "'image'"),
    ],
)
def test_it_is_said_where_the_rest_is_kept_from_being_checked(wrong, keeps):
    text = SPEC.replace('mounts: {data: "azureFile:data"}', wrong).replace("{vmSize:", "{vmsize:")
    found = lint(text.encode(), "experiment.yaml", "/project", LintEnvironment(lambda: DEFAULTS))
    [said] = [finding for finding in found if "The rest is checked" in (finding.hint or "")]
    assert keeps in said.message
    assert found.index(said) > 0


def test_a_job_that_can_not_be_read_hides_no_other():
    again = SPEC.partition("    train:")[2].replace('{data: "azureFile:data"}', "[data]")
    assert codes(f"{SPEC}    again:{again}") == ["BAI203", *OTHERS]


def test_an_error_in_one_document_brings_no_false_alarm_to_another():
    clusters = SPEC.partition("  jobs:\n")[0]
    alone = clusters.replace("name: lab", "name: machines") + "---\n"
    of_two = alone + SPEC.replace(clusters, clusters.split("  clusters")[0])
    named = of_two.replace("nodeCount: 3", "nodeCount: 3\n      cluster: pair")
    assert codes(named) == OTHERS
    assert codes(named.replace("scale: 2", "scale: [2]")) == ["BAI203", "BAI506"]


UNUSED = """apiVersion: bai/v1
kind: Experiment
metadata: {name: lab}
spec:
  clusters: {pair: {vmSize: STANDARD_NC6, scale: 2}}
  jobs:
    copy:
      nodeCount: 1
      mounts: {data: "azureFile:data"}
      logs: ${mounts.data}
      outputs: {MODEL: "${mounts.data}", LOGS: "${mounts.data}"}
      preparation: hostname
      custom: {command: cp /etc/hostname $AZ_BATCHAI_OUTPUT_MODEL}
"""


def test_what_is_unused_is_reported_where_all_could_be_read():
    assert codes(UNUSED) == ["BAI414"]
    # A warning leaves nothing out.
    slip = UNUSED.replace("nodeCount: 1", "nodeCount: 1\n      cluster: piar")
    assert codes(slip) == ["BAI403", "BAI414"]
    assert codes(UNUSED.replace("preparation: hostname", "preparation: {run: hostname}")) == [
        "BAI203"
    ]


def test_a_reference_behind_a_misspelt_key_is_found():
    environment = "      environmet: {TOKEN: env:TOKEN}\n      pyTorch:\n"
    found = codes(SPEC.replace("      pyTorch:\n", environment))
    assert found == sorted(["BAI201", "BAI610", *OTHERS])
