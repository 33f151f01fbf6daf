"""Clusters, file servers and workspaces in documents of their own, and folders of specs."""

import json

import pytest

import bai
from bai.specs.errors import RuntimeFailure

HEAD = "apiVersion: bai/v1\nkind: {}\nmetadata: {{name: {}{}}}\n"
CLUSTER = HEAD + "spec: {{vmSize: S, scale: {}}}\n"
JOBS = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: digits, workspace: vision}
spec:
  jobs:
    train:
      cluster: pair
      nodeCount: 1
      mounts: {r: azureFile:r}
      logs: ${mounts.r}
      custom: {command: "true"}
"""


def workspace(more=""):
    return HEAD.format("Workspace", "vision", more)


def cluster(name="pair", scale=1, more=", workspace: vision"):
    return CLUSTER.format("Cluster", name, more, scale)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AZURE_BATCHAI_STORAGE_ACCOUNT", raising=False)
    return tmp_path


def write(here, **files):
    for name, text in files.items():
        (here / f"{name}.yaml").write_text(text)


def labels(ids):
    return [id.label for id in ids]


def test_a_job_runs_on_a_cluster_of_another_file(here):
    write(here, clusters=cluster(), jobs=JOBS)
    result = bai.load("jobs.yaml", "clusters.yaml").apply().wait(60)
    assert result.jobs["train"].state.value == "succeeded"
    made = [step.change.resource.id.label for step in result.applied]
    assert made == ["workspace/vision", "cluster/pair", "experiment/digits", "job/train"]


def test_jobs_may_come_long_after_their_cluster(here):
    write(here, clusters=cluster(), jobs=JOBS)
    bai.load("clusters.yaml").apply()
    job = bai.load("jobs.yaml").apply().wait(60).jobs["train"]
    assert job.state.value == "succeeded"


def test_a_folder_stands_for_the_specs_right_in_it(here):
    write(here, jobs=JOBS, clusters=cluster())
    (here / "job.json").write_text(json.dumps({"properties": {"nodeCount": 1}}))
    (here / "deployment.yaml").write_text("apiVersion: apps/v1\nkind: Deployment\nspec: {}\n")
    (here / "notes.yaml").write_text("- nodeCount\n")
    (here / "below").mkdir()
    (here / "below" / "more.yaml").write_text(cluster("other"))
    experiment = bai.load(".")
    assert experiment.findings == ()
    ids = {r.id.label for each in experiment.compile() for r in each.resources}
    assert ids == {"workspace/vision", "cluster/pair", "experiment/digits", "job/train"}


def test_a_file_that_is_also_in_a_folder_counts_once(here):
    write(here, clusters=cluster())
    assert len(bai.load(here, here / "clusters.yaml").compile()) == 1


def test_a_spec_of_a_folder_that_cannot_be_parsed_is_not_left_alone(here):
    write(here, jobs=JOBS + "  : [", clusters=cluster())
    [finding, *_] = bai.load(".").findings
    assert (finding.code[:4], finding.span.file) == ("BAI1", "jobs.yaml")


@pytest.mark.parametrize("name", ["specs", "specs/deeper"])
def test_a_folder_without_specs_is_an_error_that_says_what_one_is(here, name):
    (here / "specs/deeper/deepest").mkdir(parents=True)
    (here / "specs/deployment.yaml").write_text("apiVersion: apps/v1\nkind: Deployment\n")
    (here / "specs/deeper/deepest/a.yaml").write_text(cluster())
    with pytest.raises(RuntimeFailure) as caught:
        bai.load(name)
    assert str(caught.value) == (
        f"there is no spec in the folder {name}: a spec is a file in it, not in a folder below it, "
        "that ends in .yaml, .yml or .json and has apiVersion: bai/v1"
    )


def test_the_same_cluster_twice_is_one_and_two_forms_of_it_are_an_error(here):
    short = "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: e, workspace: vision}\n"
    short += "spec: {clusters: {pair: {vmSize: S, scale: 1}}}\n"
    write(here, a=cluster(), b=short, c=cluster(scale=2))
    assert bai.load("a.yaml", "b.yaml").findings == ()
    [finding] = bai.load("b.yaml", "c.yaml").findings
    assert (finding.code, finding.span.file, finding.span.line) == ("BAI410", "c.yaml", 3)
    assert "the cluster pair is declared once more, and not as the first time at b.yaml:4" in (
        finding.message
    )


def test_what_a_document_leaves_out_of_its_workspace_another_one_may_say(here):
    write(here, a=cluster(), b=workspace(", location: westus2, tags: {team: a}"))
    experiment = bai.load("a.yaml", "b.yaml")
    assert experiment.findings == ()
    for compilation in experiment.compile():
        wire = compilation.resources[0].wire
        assert wire == {"location": "westus2", "tags": {"team": "a"}}


def test_documents_that_contradict_each_other_about_a_workspace_are_an_error(here):
    write(here, a=cluster(more=", workspace: vision, location: eastus"))
    write(here, b=workspace(", location: westus2"))
    [finding] = bai.load("a.yaml", "b.yaml").findings
    assert (finding.code, finding.span.file) == ("BAI410", "b.yaml")


def test_what_a_spec_says_nothing_of_stays_as_it_lives(here):
    write(here, w=workspace(", location: westus2, tags: {team: a}"), c=cluster(), j=JOBS)
    bai.load("w.yaml").apply()
    for file in ("c.yaml", "j.yaml"):
        experiment = bai.load(file)
        plan = experiment.diff()
        changes = {change.resource.id.label: change.action.value for change in plan.changes}
        assert changes["workspace/vision"] == "unchanged"
        assert plan.findings == ()
        experiment.apply().wait(60)
    assert bai.connect().find("workspace", "vision").wire["tags"] == {"team": "a"}
    write(here, w=workspace(", location: westus2"))
    bai.load("w.yaml").apply()
    assert "tags" not in bai.connect().find("workspace", "vision").wire


def test_a_workspace_is_deleted_with_its_document_unless_others_are_in_it(here):
    write(here, a=workspace() + "---\n" + cluster(), b=cluster("other"))
    ours = bai.load("a.yaml")
    session = ours.open()
    ours.apply()
    assert labels(ours.living(session)) == ["cluster/pair", "workspace/vision"]
    assert ours.deletion(session).kept == []
    bai.load("b.yaml").apply()
    ids, kept = ours.deletion(session)
    assert (labels(ids), labels(kept)) == (["cluster/pair"], ["workspace/vision"])
    # Without a document of its own a workspace is never deleted.
    assert labels(bai.load("b.yaml").living(session)) == ["cluster/other"]


def test_what_others_need_is_kept_with_what_it_needs_itself(here):
    server = HEAD.format("FileServer", "nfs", ", workspace: vision")
    server += "spec: {vmSize: S, disks: {count: 1, size: 8g, type: standard}, user: {name: u, "
    server += "sshKey: ssh-rsa A}}\n"
    mounting = cluster().replace("scale: 1", "scale: 1, mounts: {m: 'fileServer://nfs'}")
    write(here, a=f"{server}---\n{mounting}", b=JOBS)
    platform = bai.load("a.yaml")
    session = platform.open()
    platform.apply()
    assert labels(platform.living(session)) == ["cluster/pair", "fileServer/nfs"]
    bai.load("b.yaml").apply().wait(60)
    ids, kept = platform.deletion(session)
    assert (labels(ids), labels(kept)) == ([], ["cluster/pair", "fileServer/nfs"])
