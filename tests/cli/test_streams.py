"""Output: for programs, into pipes that close, with poor encodings, on full disks."""

import json
import os
import subprocess

import pytest


def shell(bai, line, **variables):
    """Run a line of shell in which `bai` is the command under test."""
    script = f'bai() {{ "{bai.command[0]}" "$@"; }}\n{line}'
    return subprocess.run(
        ["bash", "-c", script],
        cwd=bai.folder,
        env=bai.environment | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_programs_get_results_alone(bai):
    jobs = bai.custom("good", "echo hello") + bai.custom("bad", "exit 3")
    done = bai.run("apply", bai.write(jobs), "-o", "json", code=1)
    found = {entry["name"]: entry for entry in json.loads(done.stdout)}
    assert found["c"]["result"] == "created"
    assert (found["good"]["state"], found["good"]["exitCode"]) == ("succeeded", 0)
    assert (found["bad"]["state"], found["bad"]["exitCode"]) == ("failed", 3)
    assert found["bad"]["errors"][0]["code"] == "JobFailed"
    assert found["good"]["logs"].endswith("stdouterr")
    assert "good | hello" in done.stderr
    # One of them stands failed.
    again = bai.run("apply", bai.write(jobs), "-o", "name", code=1)
    assert again.stdout.split() == [
        "workspace/local",
        "cluster/c",
        "experiment/test",
        "job/good",
        "job/bad",
    ]


def test_values_that_json_does_not_know_are_null(bai):
    line = '{"time": 1, "values": {"loss": NaN}}'
    spec = bai.write(bai.custom("job", f"echo '{line}' >> $BAI_METRICS_FILE"))
    done = bai.run("apply", spec, "-o", "json")
    assert json.loads(done.stdout, parse_constant=pytest.fail)[-1]["metrics"] == {"loss": None}


def test_names_that_bai_prints_are_names_that_it_takes(bai):
    bai.run("apply", bai.write(bai.custom("one", "true") + bai.custom("two", "true")))
    done = shell(bai, 'for name in $(bai get -o name); do bai wait "$name"; done')
    assert done.stdout == "job/one succeeded, exit code 0\njob/two succeeded, exit code 0\n"
    assert bai.run("get", "job/one").stdout.split()[10:12] == ["one", "test"]
    assert "attempt 1" in bai.run("describe", "jobs/one").stdout
    assert bai.run("delete", "job/one", "-y").stdout == "job/one deleted\n"
    assert "which job?" in bai.run("describe", "job", code=2).stderr
    assert "did you mean jobs?" in bai.run("describe", "jobb/one", code=2).stderr


def test_a_reader_that_goes_away_in_the_middle_is_no_error(bai):
    bai.run("apply", bai.write(bai.custom("loud", "seq 100000")))
    for line in ("bai logs loud | head -1", "bai logs -f loud | head -1"):
        done = shell(bai, line)
        assert (done.stdout, done.stderr) == ("1\n", "")


def unread(bai, *arguments, both=False):
    """Run bai with an output that nobody reads; return its exit code and its error output."""
    ours, theirs = os.pipe()
    os.close(ours)
    try:
        done = subprocess.run(
            [*bai.command, *map(str, arguments)],
            cwd=bai.folder,
            env=bai.environment,
            stdout=theirs,
            stderr=theirs if both else subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(theirs)
    return done.returncode, done.stderr


def test_an_output_that_nobody_reads_gives_the_code_of_sigpipe(bai):
    spec = bai.write(bai.custom("job", "echo one"))
    bai.run("apply", spec)
    for command in (
        ["get"],
        ["get", "-o", "json"],
        ["describe", "job/job"],
        ["logs", "job"],
        ["logs", "-f", "job"],
        ["wait", "job"],
        ["lint", spec],
        ["lint", "."],
        ["compile", spec],
        ["storage", "ls"],
        ["context", "list"],
        ["explain", "job"],
        ["rules"],
        ["--help"],
        ["apply", "--help"],
        ["apply", spec],
    ):
        assert unread(bai, *command) == (141, ""), command
    for command in (
        ["get", "nothing"],
        ["lint", "--nothing"],
        ["logs", "nothing"],
        ["explain", "x"],
    ):
        assert unread(bai, *command, both=True) == (141, None), command


def test_what_changes_something_is_done_whether_anybody_reads_of_it_or_not(bai):
    spec = bai.write(bai.custom("one", "true") + bai.custom("two", "true"))
    for detach in (["-d"], ["--rerun"]):
        assert unread(bai, "apply", spec, *detach) == (141, "")
        for job in ("one", "two"):
            bai.run("wait", job)
    assert "attempt 2" in bai.run("describe", "job/two").stdout
    assert unread(bai, "delete", "-f", spec, "-y") == (141, "")
    assert bai.run("get", "-o", "name").stdout == ""


def test_a_plan_that_nobody_reads_is_executed(bai):
    # A line is written at once, and not when there are many.
    bai.environment["PYTHONUNBUFFERED"] = "1"
    spec = bai.write(bai.custom("one", "true") + bai.custom("two", "true"))
    bai.run("apply", spec)
    for number, both in enumerate([False, True], start=2):
        assert unread(bai, "apply", "--rerun", spec, both=both)[0] == 141
        for job in ("one", "two"):
            bai.run("wait", job)
            assert f"attempt {number}" in bai.run("describe", "job", job).stdout


def test_a_refused_plan_that_nobody_reads_is_not_executed(bai):
    spec = bai.write(bai.custom("job", "true"))
    bai.run("apply", spec)
    wide = bai.write(bai.custom("job", "true", nodeCount=9), scale=9)
    assert unread(bai, "apply", "--rerun", wide, both=True) == (141, None)
    assert "attempt 2" not in bai.run("describe", "job/job").stdout


def test_closed_and_full_outputs_and_poor_encodings_are_no_crash(bai):
    bai.run("apply", bai.write(bai.custom("job", "echo one")))
    spec = bai.write(bai.custom("job", "echo two"))
    assert shell(bai, "bai get >&-").returncode == 0
    full = shell(bai, "bai get > /dev/full")
    words = "error: can't write the output: No space left on device\n"
    assert (full.returncode, full.stderr) == (3, words)
    poor = shell(bai, f"bai diff {spec}", PYTHONIOENCODING="ascii")
    assert (poor.returncode, poor.stderr) == (1, "")
    assert poor.stdout.startswith("\\xb1 job/job  replace")


def test_what_other_specs_use_is_not_deleted_with_a_spec(bai):
    ours = bai.write(bai.custom("ours", "true"), name="ours.yaml")
    theirs = bai.write(bai.custom("theirs", "true"), name="theirs.yaml")
    bai.run("apply", ours, theirs)
    assert bai.run("delete", "-f", ours, "-y").stdout == "job/ours deleted\n"
    rest = bai.run("delete", "-f", theirs, "-y").stdout
    assert rest == "job/theirs deleted\nexperiment/test deleted\ncluster/c deleted\n"
    assert bai.run("delete", "-f", theirs, "-y").stdout == "nothing to delete\n"


def test_long_differences_stand_below_each_other(bai):
    bai.run("apply", bai.write(bai.custom("job", f": {'a' * 100}")))
    shown = bai.run("diff", bai.write(bai.custom("job", f": {'b' * 100}\n: c")), code=1).stdout
    assert "    ~ custom.command\n" in shown
    assert f"        - : {'a' * 100}\n" in shown
    assert f'        + ": {"b" * 100}\\n: c"\n' in shown


def test_a_plan_is_executed_whole_though_nobody_can_read_of_it(bai):
    bai.write(bai.custom("good", "true"))
    assert shell(bai, "bai apply experiment.yaml > /dev/full").returncode == 3
    bai.run("wait", "good")
