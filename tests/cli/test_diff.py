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
