"""Run specs: what a supervisor is told, from file to file."""

import json

import pytest

from bai.compiler.resources.ids import ResourceId
from bai.runtime.containers.settings import ContainerSettings
from bai.runtime.errors import StateError
from bai.runtime.jobs.documents import run_file
from bai.runtime.jobs.run_spec import VERSION, RunSpec, read_run_spec

JOB = (
    "/subscriptions/s/resourceGroups/g/providers/Microsoft.BatchAI"
    "/workspaces/w/experiments/e/jobs/train"
)


def spec(folder):
    return RunSpec(
        uuid="u",
        job=ResourceId.parse(JOB),
        run=2,
        nodes=(0, 3),
        wire={"properties": {"nodeCount": 2}},
        cluster=None,
        folder=str(folder),
        storage="/accounts",
        file_servers="/servers",
        python="/envs/tf/bin/python",
        container=ContainerSettings("podman", "localhost/tf", "tensorflow/tensorflow:1.8.0"),
    )


def test_it_comes_back_as_it_was(tmp_path):
    spec(tmp_path).write()
    assert read_run_spec(tmp_path, 2) == spec(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", f'{{"version": {VERSION}}}', f'{{"version": {VERSION}, "uuid": 3}}']
)
def test_a_damaged_one_is_refused(tmp_path, text):
    run_file(tmp_path, 2).write_text(text)
    with pytest.raises(StateError, match="is damaged: run the job again"):
        read_run_spec(tmp_path, 2)


def test_one_of_a_newer_format_is_refused(tmp_path):
    spec(tmp_path).write()
    kept = json.loads(run_file(tmp_path, 2).read_text())
    run_file(tmp_path, 2).write_text(json.dumps(kept | {"version": VERSION + 1}))
    with pytest.raises(StateError, match=f"has format {VERSION + 1}, and this bai knows {VERSION}"):
        read_run_spec(tmp_path, 2)
