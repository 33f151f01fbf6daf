"""What the documents of a file, and the files of a command, say about each other."""

import pytest
from linting import lint

import bai
from bai.compiler.compilation import Defaults
from bai.linter.driver.linter import Linter
from bai.linter.environment import LintEnvironment

JOB = """\
properties:
  nodeCount: 3
  stdOutErrPathPrefix: $AZ_BATCHAI_MOUNT_ROOT/logs
  customToolkitSettings: {commandLine: hostname}
"""
CLUSTER = """\
properties:
  vmSize: STANDARD_NC6
  scaleSettings: {manual: {targetNodeCount: 2}}
  userAccountSettings: {adminUserName: me, adminUserPassword: <password>}
"""
HEAD = "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: %s}\nspec:\n"
CLUSTER_SPEC = HEAD % "machines" + "  clusters: {pair: {vmSize: STANDARD_NC6, scale: 2}}\n"
JOB_SPEC = f"""\
{HEAD % "train"}  jobs:
    train:
      cluster: pair
      nodeCount: 3 # bai: ignore[BAI801] it grows
      mounts: {{logs: azureFile:logs}}
      logs: ${{mounts.logs}}
      custom: {{command: hostname}}
"""
ID = "/subscriptions/s/resourceGroups/g/providers/Microsoft.BatchAI/workspaces/w/clusters"
HERE = LintEnvironment(lambda: Defaults(resource_group="g", workspace="w", location="eastus"))


def codes(*documents):
    found = lint("---\n".join(documents).encode(), "file.yaml", "/project", HERE)
    return [finding.code for finding in found]


def reported(text):
    checked = Linter().content(text.encode(), "file.yaml")
    return [finding.code for finding in checked.findings]


def test_a_job_is_checked_with_the_only_cluster_of_its_file():
    assert codes(JOB) == codes(JOB, JOB) == []
    assert codes(JOB, CLUSTER) == codes(CLUSTER, JOB) == ["BAI801", "BAI506"]


@pytest.mark.parametrize("other", [CLUSTER, CLUSTER_SPEC])
def test_of_two_clusters_none_is_the_one_that_is_meant(other):
    assert codes(JOB, CLUSTER, other) == []


def test_a_cluster_that_says_its_name_is_the_one_that_a_job_names():
    job = f"{JOB}  cluster: {{id: {ID}/one}}\n"
    one, other = f"id: {ID}/One\n{CLUSTER}", f"id: {ID}/other\n{CLUSTER}"
    assert codes(job, CLUSTER) == ["BAI801", "BAI506"]
    # BAI207: the service has answered the ids.
    assert codes(job, other) == ["BAI207"]
    assert sorted(codes(job, other, one)) == ["BAI207", "BAI207", "BAI506", "BAI801"]


def test_a_cluster_file_says_nothing_of_the_jobs_of_a_spec():
    assert codes(JOB_SPEC, CLUSTER) == []


def test_specs_of_several_files_know_of_each_other(tmp_path):
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text(JOB_SPEC.replace("# bai: ignore[BAI801]", "#"))
    second.write_text(CLUSTER_SPEC)
    assert bai.load(first).lint() == bai.load(second).lint() == ()
    assert [finding.code for finding in bai.load(first, second).lint()] == ["BAI801"]


def test_what_only_a_cluster_shows_counts_as_not_looked_for_without_it():
    assert reported(JOB_SPEC) == []
    assert reported(f"{JOB_SPEC}---\n{CLUSTER_SPEC}") == []
    small = JOB_SPEC.replace("nodeCount: 3", "nodeCount: 2")
    assert reported(f"{small}---\n{CLUSTER_SPEC}") == ["BAI901"]


def test_a_file_that_speaks_of_a_spec_is_none():
    suppressed = JOB.replace("3\n", "3 # bai: ignore[BAI801] it grows\n")
    assert reported(f"# see the spec: train.bai.yaml\n{suppressed}") == []
    assert reported(f"{suppressed}---\n{CLUSTER}") == ["BAI506"]
