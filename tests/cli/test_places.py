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


def test_a_folder_in_the_place_of_the_database(bai):
    place = bai.folder / ".bai/state.db"
    place.mkdir(parents=True)
    spec = bai.write(bai.custom("job", "true"))
    words = "is a folder, and no database: move it away, or name another folder as `state`"
    for command in (["get"], ["apply", spec]):
        said = bai.run(*command, code=2).stderr
        assert said == f"error: {place} {words} in bai.toml\n"


def test_a_database_that_may_not_grow(bai):
    spec = bai.write(bai.custom("job", "true"))
    said = bai.run("apply", spec, code=2, preexec_fn=limit_database).stderr
    assert said == (
        f"error: can't write {bai.folder}/.bai/state.db: files may not exceed 8192 bytes here. "
        "Raise `ulimit -f` and run it again\n"
    )


def limit_database():
    """Be a shell with `ulimit -f 8`."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
