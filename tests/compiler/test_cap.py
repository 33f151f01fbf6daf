"""Compilations cut to a smaller machine."""

import pytest

from bai.compiler.passes.cap import cap, without_containers
from bai.compiler.resources.ids import Kind

CLUSTER = "clusters: {fixed: {vmSize: S, scale: 4}, auto: {vmSize: S, scale: {min: 3, max: 9}}}\n"


@pytest.fixture
def compile_job(compile_text):
    def compile_toolkit(toolkit, nodes=4):
        head = f"cluster: fixed, nodeCount: {nodes}, mounts: {{l: 'azureFile:l'}}"
        content = f"{CLUSTER}jobs: {{train: {{{head}, logs: '${{mounts.l}}', {toolkit}}}}}\n"
        return compile_text(content)

    return compile_toolkit


def job_wire(compilation):
    [job] = compilation.of_kind(Kind.JOB)
    return job.to_wire()["properties"]


def test_nodes_of_clusters_and_jobs(compile_job):
    compilation = cap(compile_job("horovod: {script: x}"), max_nodes=2)
    fixed, auto = (c.body.properties.scale_settings for c in compilation.of_kind(Kind.CLUSTER))
    assert fixed.manual.target_node_count == 2
    assert (auto.auto_scale.minimum_node_count, auto.auto_scale.maximum_node_count) == (2, 2)
    assert job_wire(compilation)["nodeCount"] == 2
    assert job_wire(compilation)["horovodSettings"] == {"pythonScriptFilePath": "x"}
    assert compilation.notes == (
        "cluster fixed: targetNodeCount 4 -> 2",
        "cluster auto: minimumNodeCount 3 -> 2",
        "cluster auto: maximumNodeCount 9 -> 2",
        "job train: nodeCount 4 -> 2",
    )


@pytest.mark.parametrize(
    ("toolkit", "settings", "expected"),
    [
        ("horovod: {script: x, processCount: 8}", "horovodSettings", {"processCount": 2}),
        ("horovod: {script: x, processesPerNode: 2}", "horovodSettings", {"processCount": 2}),
        ("horovod: {script: x}", "horovodSettings", {"processCount": 2}),
        ("pyTorch: {script: x}", "pyTorchSettings", {"processCount": 2}),
        ("customMpi: {command: x}", "customMpiSettings", {"processCount": 2}),
        ("caffe: {config: x}", "caffeSettings", {"processCount": 2}),
        ("chainer: {script: x, processCount: 1}", "chainerSettings", {"processCount": 1}),
        ("cntk: {script: x}", "cntkSettings", {"processCount": 2}),
        ("caffe2: {script: x}", "caffe2Settings", {}),
        ("custom: {command: x}", "customToolkitSettings", {}),
        ("tensorFlow: {script: x}", "tensorFlowSettings", {"workerCount": 2}),
        (
            "tensorFlow: {script: x, workerCount: 3, parameterServerCount: 3}",
            "tensorFlowSettings",
            {"workerCount": 2, "parameterServerCount": 2},
        ),
    ],
)
def test_processes(compile_job, toolkit, settings, expected):
    wire = job_wire(cap(compile_job(toolkit), max_processes=2))
    counts = {key: value for key, value in wire[settings].items() if key.endswith("Count")}
    assert counts == expected
    # Caffe2 has one process on each node, and nothing else to lower.
    assert wire["nodeCount"] == (2 if settings == "caffe2Settings" else 4)


@pytest.mark.parametrize(
    ("toolkit", "settings", "key", "before", "after"),
    [
        ("horovod: {script: x, processesPerNode: 4}", "horovodSettings", "processCount", 16, 8),
        ("pyTorch: {script: x, processCount: 5}", "pyTorchSettings", "processCount", 5, 4),
        ("tensorFlow: {script: x, workerCount: 8}", "tensorFlowSettings", "workerCount", 8, 4),
    ],
)
def test_no_node_gets_more_processes_than_it_had(
    compile_job, toolkit, settings, key, before, after
):
    compilation = cap(compile_job(toolkit), max_nodes=2)
    assert job_wire(compilation)[settings][key] == after
    assert f"job train: {key} {before} -> {after}" in compilation.notes


def test_parameter_servers_fit_on_the_nodes_that_are_left(compile_job):
    toolkit = "tensorFlow: {script: x, workerCount: 4, parameterServerCount: 4}"
    compilation = cap(compile_job(toolkit), max_nodes=3)
    assert job_wire(compilation)["tensorFlowSettings"]["parameterServerCount"] == 3
    assert "job train: parameterServerCount 4 -> 3" in compilation.notes


def test_a_single_tensorflow_process_stays_one(compile_job):
    before = compile_job("tensorFlow: {script: x}", nodes=1)
    after = cap(before, max_processes=1)
    assert job_wire(after) == job_wire(before)


def test_what_fits_is_left_alone(compile_job):
    before = compile_job("horovod: {script: x, processCount: 4}")
    after = cap(before, max_nodes=9, max_processes=4)
    assert after == before
    assert cap(before) == before


def test_places_stay(compile_job):
    before = compile_job("horovod: {script: x, processesPerNode: 2}")
    [old], [new] = before.of_kind(Kind.JOB), cap(before, 1, 1).of_kind(Kind.JOB)
    assert new.spans == old.spans
    assert new.span("properties", "horovodSettings", "processCount").line == 6


@pytest.mark.parametrize("bounds", [(0, None), (None, 0), (-1, 1)])
def test_a_bound_below_one_is_refused(compile_job, bounds):
    with pytest.raises(ValueError, match="less than one"):
        cap(compile_job("custom: {command: x}"), *bounds)


def test_jobs_outside_their_images(compile_job):
    before = compile_job("container: team/image, custom: {command: x}")
    after = without_containers(before, with_preparation=False)
    assert "containerSettings" not in job_wire(after)
    assert after.notes == ("job train: runs outside its image team/image",)
    assert without_containers(after, with_preparation=False) == after


def test_the_preparation_of_an_image(compile_job):
    before = compile_job("container: team/image, preparation: apt x, custom: {command: x}")
    [note] = (after := without_containers(before, with_preparation=False)).notes
    assert "jobPreparation" not in job_wire(after)
    assert "runs outside its image team/image, without its preparation (--with-prep" in note
    kept = without_containers(before, with_preparation=True)
    assert job_wire(kept)["jobPreparation"] == {"commandLine": "apt x"}
    assert kept.notes == ("job train: runs outside its image team/image",)
    # Without a container, it was written for the node itself.
    bare = compile_job("preparation: apt x, custom: {command: x}")
    assert without_containers(bare, with_preparation=False) == bare


def test_without_bounds_nothing_is_made_anew(compile_job):
    compilation = compile_job("horovod: {script: x}")
    assert cap(compilation) is compilation
