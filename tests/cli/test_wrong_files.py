"""What `bai lint` calls an error about files of this machine stops `bai apply` as well."""

import re
import sys

import pytest


@pytest.fixture
def spec(bai):
    """Write a spec whose job runs a command, with the folder `code` mounted."""
    (bai.folder / "code").mkdir()
    (bai.folder / "code/fine.py").write_text("print('fine')\n")
    (bai.folder / "code/broken.py").write_text("if a\n")

    def write(command, comment=""):
        return bai.write(
            "    j:\n      nodeCount: 1\n      mounts: {r: azureFile:r, code: file:code}\n"
            f"      logs: ${{mounts.r}}\n      custom: {{command: {command}}}{comment}\n"
        )

    return write


def placed(reported):
    return re.findall(r"^\S*experiment.yaml:(\d+:\d+): (\w+ BAI\d+ .*)$", reported, re.MULTILINE)


@pytest.mark.parametrize("script", ["nope.py", "broken.py"])
def test_lint_diff_and_apply_say_the_same_at_the_same_place(bai, spec, script):
    path = spec(f"'python ${{mounts.code}}/{script}'")
    (said,) = placed(bai.run("lint", path, code=1).stdout)
    assert script in said[1]
    for verb in ("diff", "apply"):
        reported = bai.run(verb, path, code=2).stderr
        assert placed(reported) == [said]
        assert "^~~~" in reported
    assert "there are no jobs" in bai.run("get", "jobs").stderr
    # A compilation looks at no files.
    bai.run("compile", path)


def test_what_a_comment_or_a_setting_takes_out_stops_nothing(bai, spec):
    command = "'python ${mounts.code}/nope.py'"
    bai.run("diff", spec(command, "  # bai: ignore[BAI721] it comes later"), code=1)
    path = spec(command)
    bai.run("diff", path, code=2)
    with (bai.folder / "bai.toml").open("a") as file:
        file.write('[lint]\nignore = ["BAI721"]\n')
    bai.run("diff", path, code=1)


@pytest.mark.parametrize(("verb", "code"), [("compile", 0), ("diff", 1), ("apply", 0)])
def test_what_is_suppressed_in_the_spec_itself_stops_nothing(bai, spec, verb, code):
    path = spec("'true $AZ_BATCHAI_INPUT_IMAGES'")
    assert "BAI404" in bai.run(verb, path, code=2).stderr
    with (bai.folder / "bai.toml").open("a") as file:
        file.write('[lint.per-file-ignores]\n"experiment.yaml" = ["BAI404"]\n')
    bai.run(verb, path, code=code)


@pytest.mark.parametrize(("verb", "code"), [("compile", 0), ("diff", 1), ("apply", 0)])
def test_a_comment_suppresses_for_all_commands(bai, spec, verb, code):
    path = spec("'true $AZ_BATCHAI_INPUT_IMAGES'", "  # bai: ignore[BAI404] of the image")
    bai.run(verb, path, code=code)


def test_warnings_about_files_for_azure_can_be_suppressed(bai, spec):
    path = spec("ls")
    reported = bai.run("compile", path, "-d", bai.folder / "out").stderr
    assert "BAI530" in reported
    path.write_text("# bai: ignore-file[BAI530] it is uploaded\n" + path.read_text())
    reported = bai.run("compile", path, "-d", bai.folder / "out").stderr
    assert "BAI530" not in reported


def test_a_job_that_has_run_needs_its_script_no_more(bai, spec):
    path = spec("'python ${mounts.code}/fine.py'")
    bai.run("apply", path)
    (bai.folder / "code/fine.py").unlink()
    bai.run("diff", path)
    assert "BAI721" in bai.run("diff", path, "--rerun", code=2).stderr


def test_another_python_than_bais_own_may_parse_more(bai, spec):
    path = spec("'python ${mounts.code}/broken.py'")
    bai.context(slots=2, python=sys.executable)
    bai.run("diff", path, code=1)
