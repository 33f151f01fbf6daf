"""What bai diff says of jobs that it would leave alone."""

import re

import bai as package


def test_a_failure_that_is_left_alone_is_told(bai):
    spec = bai.write(bai.custom("good", "true") + bai.custom("bad", "exit 3"))
    bai.run("apply", spec, code=1)
    pattern = (
        r"= job/bad  unchanged \(failed [\d.]+s ago, exit code 3\): --rerun runs it again\n"
        r"5 unchanged\n"
    )
    assert re.fullmatch(pattern, bai.run("diff", spec).stdout)
    assert re.fullmatch(pattern, bai.run("apply", spec, "--dry-run=server").stdout)
    # apply tells it once.
    assert bai.run("apply", spec, code=1).stdout.count("failed") == 1


def test_a_failure_that_is_left_alone_is_told_in_python(bai, monkeypatch):
    spec = bai.write(bai.custom("bad", "exit 3"))
    bai.run("apply", spec, code=1)
    monkeypatch.chdir(bai.folder)
    plan = str(package.load(spec).diff())
    assert plan == "unchanged job/bad (failed)\n4 unchanged"


SMALL = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: small}
spec:
  jobs:
    train: {custom: {command: 'true'}}
"""


def test_what_a_small_spec_leaves_out_is_shown(bai):
    (bai.folder / "small.yaml").write_text(SMALL)
    shown = bai.run("diff", "small.yaml", code=1).stdout
    assert "+ cluster/small  create (made to measure for its jobs)\n" in shown
    assert "    + scale: 1\n" in shown
    assert "    + cluster: small\n" in shown
    assert "    + nodeCount: 1\n" in shown
    assert "    + mounts.logs: azureFile:logs\n    + logs: ${mounts.logs}\n" in shown
    bai.run("apply", "small.yaml")
    assert bai.run("diff", "small.yaml").stdout == "4 unchanged\n"


def test_a_cluster_that_is_made_to_measure_grows_with_its_jobs(bai):
    (bai.folder / "small.yaml").write_text(SMALL)
    bai.run("apply", "small.yaml")
    larger = SMALL + "    second: {nodeCount: 2, custom: {command: 'true'}}\n"
    (bai.folder / "small.yaml").write_text(larger)
    shown = bai.run("diff", "small.yaml", code=1).stdout
    assert "~ cluster/small  change in place\n" in shown
    assert "    ~ scale: 1 -> 2\n" in shown


def test_a_cluster_of_the_context_that_does_not_live_is_told_as_such(bai):
    (bai.folder / "small.yaml").write_text(SMALL)
    (bai.folder / "bai.toml").write_text('[contexts.here]\ncluster = "shared"\n')
    done = bai.run("apply", "small.yaml", code=2)
    assert "there is no cluster 'shared' in workspace local, which the context names" in done.stderr
    bai.write("    {}\n", name="cluster.yaml")
    text = (bai.folder / "cluster.yaml").read_text().replace("    c:", "    shared:")
    (bai.folder / "cluster.yaml").write_text(text)
    bai.run("apply", "cluster.yaml")
    shown = bai.run("diff", "small.yaml", code=1).stdout
    assert "+ job/train" in shown
    assert "    + cluster: shared\n" in shown
    assert "+ cluster/" not in shown


def test_a_swept_text_of_several_lines_is_shown_on_one(bai):
    sweep = 'sweep: {grid: {environment.TEXT: ["one\\ntwo", three]}}'
    (bai.folder / "small.yaml").write_text(SMALL.replace("{custom:", f"{{{sweep}, custom:"))
    shown = bai.run("diff", "small.yaml", code=1).stdout
    assert re.search(r'^\+ job/train-\w{8}  create: environment\.TEXT="one\\ntwo"$', shown, re.M)
    assert re.search(r"^\+ job/train-\w{8}  create: environment\.TEXT=three$", shown, re.M)
