"""Values of parameters on the command line: -p and --parameters."""

import pytest
import yaml

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: p}
spec:
  parameters:
    word: it's
    nodes: {type: integer, default: 1}
  jobs:
    train:
      nodeCount: ${parameters.nodes}
      custom: {command: "echo <${parameters.word}>"}
"""


@pytest.fixture
def spec(bai):
    (bai.folder / "spec.yaml").write_text(SPEC.replace("<${", "'<'${").replace("}>", "}'>'"))
    return "spec.yaml"


def job_of(bai, *options, **more):
    """Return the nodes and the command line of the job."""
    found = yaml.safe_load(bai.run("compile", *options, **more).stdout)
    [job] = [each["properties"] for each in found if each["type"].endswith("/jobs")]
    return job["nodeCount"], job["customToolkitSettings"]["commandLine"]


def test_p_comes_before_the_file_and_both_before_the_defaults(bai, spec):
    (bai.folder / "values.yaml").write_text("nodes: 2\nword: file\n")
    (bai.folder / "values.json").write_text('{"nodes": 3}')
    options = ["--parameters", "values.yaml"]
    assert job_of(bai, spec) == (1, "echo '<''it'\"'\"'s''>'")
    assert job_of(bai, spec, *options) == (2, "echo '<'file'>'")
    assert job_of(bai, spec, *options, "-p", "word=a b", "-p", "word=c d") == (
        2,
        "echo '<''c d''>'",
    )
    assert job_of(bai, spec, "--parameters", "values.json") == (3, "echo '<''it'\"'\"'s''>'")
    values = (bai.folder / "values.yaml").read_text()
    assert job_of(bai, spec, "--parameters", "-", input=values)[0] == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["-p", "nodes=many"],
            "spec.yaml:7:5: error BAI326 nodes, given with -p: expected",
        ),
        (["-p", "nodez=2"], "error BAI420 no spec has a parameter nodez, which was given with -p"),
        (["-p", "nodes"], "Invalid value for -p: expected NAME=VALUE, found 'nodes'"),
        (["--parameters", "none.yaml"], "none.yaml: error BAI110 can't read the file"),
        (["--parameters", "wrong.yaml"], "wrong.yaml:1:8: error BAI326 nodes: expected a whole"),
    ],
)
@pytest.mark.parametrize("command", ["compile", "diff", "apply"])
def test_wrong_values_are_refused(bai, spec, command, options, said):
    (bai.folder / "wrong.yaml").write_text("nodes: two\n")
    done = bai.run(command, spec, *options, code=2)
    assert said in done.stderr
    assert done.stdout == ""


def test_values_reach_the_job_as_they_are(bai, spec):
    value = "$HOME `ls` \"a\" 'b' \\ *"
    bai.run("apply", spec, "-p", f"word={value}")
    assert bai.run("logs", "train").stdout == f"<{value}>\n"
    # Another value is another job.
    assert "job/train" in bai.run("diff", spec, code=1).stdout
    assert bai.run("diff", spec, "-p", f"word={value}").stdout == "4 unchanged\n"


def test_delete_takes_values_for_its_file(bai, spec):
    named = (bai.folder / spec).read_text().replace("{name: p}", "{name: '${parameters.word}'}")
    (bai.folder / spec).write_text(named)
    bai.run("apply", spec, "-p", "word=mine")
    options = ("delete", "-f", spec, "--yes", "-p")
    assert bai.run(*options, "word=other").stdout == "nothing to delete\n"
    assert "experiment/mine deleted" in bai.run(*options, "word=mine").stdout
    assert "they go with -f FILE" in bai.run("delete", "job/train", "-p", "word=1", code=2).stderr
