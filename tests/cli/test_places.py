"""Places that are not what a command needs: a folder that was removed, files that may not grow."""

import json
import resource

import pytest


@pytest.mark.parametrize("command", ["get", "apply {}", "lint {}", "context list", "storage ls"])
def test_a_working_directory_that_was_removed(bai, command):
    spec = bai.write(bai.custom("job", "true"))
    gone = bai.folder / "gone"
    gone.mkdir()
    bai.folder = gone
    done = bai.run(*command.format(spec).split(), code=2, preexec_fn=gone.rmdir)
    assert done.stderr == "error: the working directory was removed: change to another one\n"


def limit_files():
    """Be a shell with `ulimit -f 400`."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (400 * 1024, 400 * 1024))


def test_a_log_that_may_not_grow(bai):
    spec = bai.write(bai.custom("loud", "seq 1000000"))
    bai.run("apply", spec, code=1, preexec_fn=limit_files)
    job = json.loads(bai.run("get", "job", "loud", "-o", "json").stdout)
    (error,) = job["properties"]["executionInfo"]["errors"]
    assert error["message"].startswith("Can't write the job's files: File too large (")
    assert error["message"].endswith(
        ". Files may not exceed 409600 bytes here: raise `ulimit -f` and run it again"
    )
