"""Commands on folders of specs, with clusters and workspaces in documents of their own."""

import json

PLATFORM = """\
apiVersion: bai/v1
kind: Workspace
metadata: {name: vision, location: westus2, tags: {team: vision}}
---
apiVersion: bai/v1
kind: Cluster
metadata: {name: pair, workspace: vision}
spec: {vmSize: STANDARD_D2_V2, scale: 2, mounts: {data: azureFile:data}}
"""
JOBS = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: digits, workspace: vision}
spec:
  jobs:
    train:
      cluster: pair
      nodeCount: 1
      mounts: {results: azureFile:results}
      logs: ${mounts.results}
      custom: {command: "ls ${mounts.data}"}
"""


def write(bai, **files):
    folder = bai.folder / "specs"
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    # Of another tool, and a file that belongs to Batch AI.
    (folder / "deployment.yaml").write_text("apiVersion: apps/v1\nkind: Deployment\n")
    (folder / "job.json").write_text('{"properties": {"nodeCount": 1}}\n')


def test_a_folder_is_compiled_as_one(bai):
    write(bai, jobs=JOBS, platform=PLATFORM)
    resources = json.loads(bai.run("compile", "specs").stdout)
    kinds = [resource["type"].rpartition("/")[2] for resource in resources]
    assert kinds == ["workspaces", "experiments", "clusters", "jobs"]
    command = resources[-1]["properties"]["customToolkitSettings"]["commandLine"]
    assert command == "ls $AZ_BATCHAI_MOUNT_ROOT/data"


def test_each_document_has_a_folder_of_files_for_azure(bai):
    write(bai, jobs=JOBS, platform=PLATFORM)
    bai.run("compile", "specs", "-d", "out")
    found = {str(path.relative_to(bai.folder / "out")) for path in bai.folder.glob("out/*/*")}
    assert found == {
        "workspace-vision/commands.sh",
        "cluster-pair/cluster.json",
        "cluster-pair/commands.sh",
        "digits/job.json",
        "digits/commands.sh",
    }


def test_a_folder_is_applied_and_deleted(bai):
    write(bai, jobs=JOBS, platform=PLATFORM)
    assert "+ cluster/pair" in bai.run("diff", "specs", code=1).stdout
    bai.run("apply", "specs")
    bai.run("diff", "specs")
    done = bai.run("delete", "-f", "specs")
    assert done.stdout.splitlines() == [
        "job/train deleted",
        "experiment/digits deleted",
        "cluster/pair deleted",
        "workspace/vision deleted",
    ]
    assert bai.run("delete", "specs").stdout == "nothing to delete\n"


def test_delete_takes_a_path_in_the_place_of_a_kind(bai):
    write(bai, platform=PLATFORM)
    (bai.folder / "cluster").write_text(PLATFORM)
    bai.run("apply", "specs")
    assert bai.run("delete", "specs/platform.yaml").stdout.splitlines() == [
        "cluster/pair deleted",
        "workspace/vision deleted",
    ]
    bai.run("apply", "specs")
    # What is a kind is no file.
    assert "which cluster?" in bai.run("delete", "cluster", code=2).stderr
    assert bai.run("delete", "cluster/pair").stdout == "cluster/pair deleted\n"
    assert "there is no kind 'spesc'" in bai.run("delete", "spesc", code=2).stderr


def test_what_others_need_is_kept_and_named(bai):
    write(bai, platform=PLATFORM)
    bai.run("apply", "specs")
    (bai.folder / "jobs.yaml").write_text(JOBS)
    bai.run("apply", "jobs.yaml")
    done = bai.run("delete", "-f", "specs")
    assert done.stdout == "nothing to delete\n"
    assert done.stderr.splitlines() == [
        "cluster/pair is kept: other resources need it",
        "workspace/vision is kept: other resources need it",
    ]


def test_a_folder_without_specs_is_an_error(bai):
    write(bai)
    for command in (["apply"], ["diff"], ["compile"], ["delete", "-f"]):
        done = bai.run(*command, "specs", code=2)
        assert done.stderr == (
            "error: there is no spec in the folder specs: a spec is a file in it, not in a folder "
            "below it, that ends in .yaml, .yml or .json and has apiVersion: bai/v1\n"
        )


def test_a_misspelt_kind_in_a_folder_is_not_left_alone(bai):
    write(bai, jobs=JOBS.replace("kind: Experiment", "kind: Experimnt"))
    assert "there is no kind 'Experimnt'" in bai.run("apply", "specs", code=2).stderr


def test_findings_in_documents_of_machines_have_positions(bai):
    write(bai, platform=PLATFORM.replace("STANDARD_D2_V2", "STANDARD_D2_V22"))
    done = bai.run("lint", "specs/platform.yaml", code=1)
    assert "specs/platform.yaml:8:16" in done.stdout


def test_a_comment_suppresses_findings_in_a_document_of_a_cluster(bai):
    wrong = PLATFORM.replace("2_V2,", "2_V22,  # bai: ignore\n ").replace("spec: {", "spec: {\n  ")
    write(bai, platform=wrong.replace("# bai: ignore", "# bai: ignore[BAI3]"))
    assert bai.run("lint", "specs/platform.yaml").stdout == "1 file checked, no findings\n"


def test_kinds_are_explained(bai):
    assert "kind: Cluster" in bai.run("explain", "cluster").stdout.replace("\n  ", " ")
    assert "storageAccount" in bai.run("explain", "cluster.spec").stdout
    assert "tags" in bai.run("explain", "workspace.metadata").stdout
