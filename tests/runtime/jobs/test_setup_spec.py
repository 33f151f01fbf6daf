"""Setup specs: what the process of a setup task is told, from file to file."""

import json

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.errors import StateError
from bai.runtime.jobs.documents import run_file
from bai.runtime.jobs.setup_paths import SetupPaths
from bai.runtime.jobs.setup_spec import VERSION, SetupSpec, read_setup_spec

CLUSTER = ResourceId("s", "g", "w", Kind.CLUSTER, "c")
TASK = {"commandLine": "true", "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/logs/setup"}
SHARE = {
    "relativeMountPath": "logs",
    "accountName": "acme",
    "azureFileUrl": "https://acme.file.core.windows.net/share",
}


def spec(folder):
    setup = {"setupTask": TASK, "mountVolumes": {"azureFileShares": [SHARE]}}
    return SetupSpec(
        uuid="n",
        cluster=CLUSTER,
        cluster_uuid="u",
        run=2,
        node=3,
        wire={"properties": {"nodeSetup": setup}},
        folder=str(folder),
        submitted="/clusters/u",
        storage="/accounts",
        file_servers="/servers",
    )


def test_it_comes_back_as_it_was(tmp_path):
    spec(tmp_path).write()
    assert read_setup_spec(tmp_path, 2) == spec(tmp_path)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", f'{{"version": {VERSION}}}', f'{{"version": {VERSION}, "cluster": "c"}}'],
)
def test_a_damaged_one_is_refused(tmp_path, text):
    run_file(tmp_path, 2).write_text(text)
    with pytest.raises(StateError, match="is damaged: scale the cluster down and up again"):
        read_setup_spec(tmp_path, 2)


def test_one_of_a_newer_format_is_refused(tmp_path):
    spec(tmp_path).write()
    kept = json.loads(run_file(tmp_path, 2).read_text())
    run_file(tmp_path, 2).write_text(json.dumps(kept | {"version": VERSION + 1}))
    with pytest.raises(StateError, match=f"has format {VERSION + 1}, and this bai knows {VERSION}"):
        read_setup_spec(tmp_path, 2)


def test_logs_are_in_the_folder_that_the_mount_shows(tmp_path):
    folder = "/accounts/acme/files/share/setup/s/g/workspaces/w/clusters/c/u"
    assert str(SetupPaths(spec(tmp_path)).log("stderr")) == f"{folder}/stderr-node-3.txt"
