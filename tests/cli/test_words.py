"""Plans and descriptions in the words of specs, and in those of Batch AI on request."""

import pytest

JOB = """\
    job:
      nodeCount: {nodes}
      mounts:
        data: {data}
        code: azureFile:code
      logs: ${{mounts.code}}
      environment: {{A: "{a}"}}
      outputs: {{MODEL: {model}}}
      timeLimit: {limit}
      custom: {{command: "cat ${{mounts.data}}/x; true"}}
"""
FIRST = {
    "nodes": 1,
    "data": "azureFile:data",
    "a": 1,
    "model": "'${mounts.code}'",
    "limit": "1m",
}


def write(bai, scale=2, **changed):
    return bai.write(JOB.format(**FIRST | changed), scale=scale)


@pytest.fixture
def applied(bai):
    bai.run("apply", write(bai))


@pytest.mark.parametrize(
    ("changed", "words", "wire"),
    [
        ({"nodes": 2}, "~ nodeCount: 1 -> 2", "~ nodeCount: 1 -> 2"),
        (
            {"data": "{azureFile: {share: data, key: env:KEY}}"},
            "+ mounts.data.azureFile.key: env:KEY",
            "~ mountVolumes.azureFileShares.data.credentials.accountKey",
        ),
        (
            {"data": "azureBlob:data"},
            "~ mounts.data: azureFile:data -> azureBlob:data",
            "+ mountVolumes.azureBlobFileSystems",
        ),
        ({"a": 2}, "~ environment.A: 1 -> 2", "~ environmentVariables.A.value: 1 -> 2"),
        (
            {"model": "{path: '${mounts.code}', suffix: m}"},
            "+ outputs.MODEL.suffix: m",
            "+ outputDirectories.MODEL.pathSuffix: m",
        ),
        ({"limit": "2m"}, "~ timeLimit: ", "~ constraints.maxWallClockTime: PT1M -> PT2M"),
    ],
)
def test_a_changed_job_differs_in_the_words_of_its_spec(bai, applied, changed, words, wire):
    spec = write(bai, **changed)
    shown = [line.strip() for line in bai.run("diff", spec, code=1).stdout.splitlines()]
    assert [line for line in shown if line.startswith(words)], shown
    assert len(shown) == 3
    shown = bai.run("diff", spec, "--wire", code=1).stdout
    assert f"    {wire}" in shown


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        (1, "~ scale: 2 -> 1"),
        ("{target: 1, onDeallocation: terminate}", "+ scale.onDeallocation: terminate"),
        ("{target: 2, onDeallocation: requeue}", None),
        ("{min: 0, max: 2}", '~ scale: 2 -> {"min": 0, "max": 2}'),
    ],
)
def test_a_changed_cluster_differs_in_its_scale(bai, applied, scale, words):
    shown = bai.run("diff", write(bai, scale=scale), code=1 if words else 0).stdout
    assert (f"    {words}\n" in shown) if words else (shown == "4 unchanged\n")


def test_what_is_created_is_shown_as_specs_have_it(bai):
    spec = write(bai)
    shown = bai.run("diff", spec, code=1).stdout
    for line in (
        "scale: 2",
        "mounts.data: azureFile:data",
        "custom.command: cat ${mounts.data}/x; true",
    ):
        assert f"    + {line}\n" in shown
    assert "customToolkitSettings" not in shown
    wire = bai.run("diff", spec, "--wire", code=1).stdout
    for line in ("scaleSettings.manual.targetNodeCount: 2", "cluster.id: cluster/c"):
        assert f"    + {line}\n" in wire


def test_a_resource_is_described_as_its_spec_declares_it(bai, applied):
    job = bai.run("describe", "job", "job").stdout
    assert "\n\ncluster: c\nnodeCount: 1\nmounts:\n  data: azureFile:data\n" in job
    assert "Settings" not in job
    wire = bai.run("describe", "job", "job", "--wire").stdout
    assert "\n\nid: /subscriptions/" in wire
    assert "customToolkitSettings" in wire
    cluster = bai.run("describe", "cluster/c").stdout
    head, form = cluster.split("\n\n")
    assert head.startswith("cluster/c created ")
    assert head.endswith(" ago, 2 nodes: 2 idle")
    assert form == "vmSize: STANDARD_D2_V2\nscale: 2\n"
    assert bai.run("describe", "cluster/c", "--wire").stdout.startswith("id: /subscriptions/")
    experiment = bai.run("describe", "experiment/test").stdout
    assert experiment.startswith("experiment/test created ")
    assert experiment.count("\n") == 1
