"""The commands as a person meets them: words, exit codes, pipes and terminals."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from terminal import Terminal

ROOT = Path(__file__).parents[2]

HEAVY = ("pydantic", "jsonschema", "yaml", "ruamel", "rich", "sqlite3", "psutil", "asyncio")


def modules_after(*arguments):
    """Return the modules that a command has loaded by its end."""
    script = (
        "import sys, atexit\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        f"sys.argv = ['bai', *{list(map(str, arguments))!r}]\n"
        "from bai.cli.main import main\nmain()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    return set(done.stderr.split())


def test_help_loads_nothing_heavy():
    loaded = modules_after("--help")
    assert "typer" in loaded
    assert loaded.isdisjoint(HEAVY)
    assert not {name for name in loaded if name.startswith(("bai.cli.apply", "bai.specs"))}


def test_a_verb_loads_no_other_verb():
    loaded = modules_after("schema", "--help")
    assert "bai.cli.schema" in loaded
    assert loaded.isdisjoint({"bai.cli.apply", "bai.cli.lint", "bai.cli.storage"})


def test_help_of_lint_loads_nothing_that_only_a_run_needs():
    loaded = modules_after("lint", "--help")
    assert "bai.cli.lint" in loaded
    assert loaded.isdisjoint({*HEAVY, "bai.specs.findings", "bai.cli.render.sources"})
    assert not {name for name in loaded if name.startswith(("bai.linter", "bai.compiler"))}


def test_lint_loads_neither_engine_nor_database():
    loaded = modules_after("lint", ROOT / "examples/digits/experiment.yaml")
    assert "pydantic" in loaded
    assert loaded.isdisjoint({"sqlite3", "rich", "asyncio", "ruamel", "psutil"})
    assert "bai.compiler.resources.bodies" not in loaded


def test_a_clean_job_file_needs_neither_places_nor_pages():
    job = ROOT / "tests/schemas/corpus/job/accepted/cifar10.json"
    loaded = modules_after("lint", job)
    assert "bai.linter.rules.registry" in loaded
    assert loaded.isdisjoint(
        {*HEAVY, "typer", "inspect", "dataclasses", "bai.specs.syntax.reader", "bai.specs.models"}
    )
    assert loaded.isdisjoint({"bai.linter.pages.catalogue", "bai.schemas.errors"})


@pytest.mark.parametrize("name", ["keys.json", "values.json"])
def test_a_job_file_with_findings_needs_no_models(name):
    loaded = modules_after("lint", ROOT / "tests/linter/files" / name)
    assert "bai.specs.syntax.reader" in loaded
    assert loaded.isdisjoint({"pydantic", "bai.specs.models.experiment", "bai.compiler.compile"})


def test_importing_bai_in_a_training_script_loads_nothing_heavy():
    script = "import sys, bai\nfrom bai.metrics import report\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()).isdisjoint((*HEAVY, "typer"))


def test_a_second_apply_changes_nothing(bai):
    spec = bai.write(bai.custom("once", "echo run"))
    first = bai.run("apply", spec)
    assert "job/once created" in first.stdout
    assert "job/once succeeded" in first.stdout
    second = bai.run("apply", spec)
    *shared, job = second.stdout.splitlines()
    assert shared == [
        "workspace/local unchanged",
        "cluster/c unchanged",
        "experiment/test unchanged",
    ]
    assert re.fullmatch(
        r"job/once unchanged \(succeeded \S+ ago; --rerun starts a new attempt\)", job
    )
    diff = bai.run("diff", spec)
    assert diff.stdout == "4 unchanged\n"
    table = bai.run("get", "jobs").stdout.splitlines()
    assert len(table) == 2
    assert table[1].split()[:8] == ["once", "test", "c", "custom", "1", "succeeded", "0", "1"]


def test_apply_says_how_a_job_stands_that_it_leaves_alone(bai):
    spec = bai.write(bai.custom("bad", "exit 3"))
    bai.run("apply", spec, code=1)
    reported = bai.run("apply", spec, code=1).stdout.splitlines()[-1]
    assert reported.endswith("ago, exit code 3; --rerun starts a new attempt)")
    assert reported.startswith("job/bad unchanged (failed ")
    spec = bai.write(bai.custom("long", "sleep 600"))
    bai.run("apply", "-d", spec)
    bai.run("wait", "long", "--for", "running")
    reported = bai.run("apply", "-d", spec).stdout.splitlines()[-1]
    assert re.fullmatch(
        r"job/long unchanged \(running for \S+; follow it with `bai logs -f long`\)", reported
    )
    bai.run("cancel", "long")
    again = bai.run("apply", "-d", spec, code=1).stdout.splitlines()[-1]
    assert again.startswith("job/long unchanged (cancel")


def test_a_second_apply_follows_what_runs_still(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    spec = bai.write(bai.custom("long", f"echo begun; read x < {gate}; exit 3"))
    bai.run("apply", "-d", spec)
    bai.run("wait", "long", "--for", "running")
    with bai.start("apply", spec) as process:
        for line in process.stdout:
            # Nobody needs to read how to do what is done.
            assert "bai logs" not in line
            if line == "begun\n":
                break
        else:
            raise AssertionError(process.stderr.read())
        gate.write_text("go\n")
        assert "job/long failed in" in process.stdout.read()
    assert process.returncode == 1


def test_a_cancelled_job_is_called_so(bai):
    bai.run("apply", "-d", bai.write(bai.custom("long", "sleep 600")))
    bai.run("cancel", "long")
    assert bai.run("get").stdout.splitlines()[1].split()[5] == "cancelled"
    assert bai.run("wait", "long", code=1).stdout == "job/long cancelled\n"
    assert "job/long cancelled" in bai.run("describe", "job", "long").stdout
    assert bai.run("cancel", "long").stdout == "job/long has ended already (cancelled)\n"
    # The wire knows Batch AI's own states only.
    live = json.loads(bai.run("get", "job", "long", "-o", "json").stdout)
    assert live["properties"]["executionState"] == "failed"


def test_jobs_of_one_name_are_distinguished(bai):
    for experiment in ("one", "two"):
        spec = bai.write(bai.custom("job", f"echo {experiment}"))
        spec.write_text(spec.read_text().replace("{name: test}", f"{{name: {experiment}}}"))
        reported = bai.run("apply", "-d", spec).stdout
    assert "`bai logs -f two/job`" in reported
    names = bai.run("get", "-o", "name").stdout.split()
    assert sorted(names) == ["job/one/job", "job/two/job"]
    assert [bai.run("logs", "-f", name).stdout for name in sorted(names)] == ["one\n", "two\n"]
    assert bai.run("logs", "local/two/job").stdout == "two\n"
    assert "say which of one/job, two/job" in bai.run("logs", "job", code=2).stderr
    assert "did you mean job?" in bai.run("logs", "jobb", code=2).stderr
    # What commands print is what they take.
    assert "job/two/job created" in reported
    spec.write_text(spec.read_text().replace("echo", "echo again"))
    assert "± job/two/job  replace" in bai.run("diff", spec, code=1).stdout
    for name in ("one/job", "two/job"):
        assert bai.run("wait", name).stdout == f"job/{name} succeeded, exit code 0\n"
        ended = f"job/{name} has ended already (succeeded)\n"
        assert bai.run("cancel", name).stdout == ended
        assert (
            f"the job {name} has no attempt 2"
            in bai.run("logs", name, "--attempt", 2, code=2).stderr
        )
        assert f"job/{name} has no process 1" in bai.run("logs", name, "--rank", 1, code=2).stderr
        none = bai.run("logs", name, "--stream", "stderr").stderr
        assert none == f"job/{name} has written nothing to stderr\n"


def test_jobs_of_one_name_that_are_applied_together_are_distinguished(bai):
    spec = bai.write(bai.custom("job", "true"))
    second = spec.read_text().replace("{name: test}", "{name: other}")
    spec.write_text(f"{spec.read_text()}---\n{second}")
    reported = bai.run("apply", spec).stdout.splitlines()
    assert [line for line in reported if line.endswith("created")][-2:] == [
        "job/test/job created",
        "job/other/job created",
    ]
    ends = {line.partition(" in ")[0] for line in reported if " in " in line}
    assert ends == {"job/test/job succeeded", "job/other/job succeeded"}
    spec.write_text(spec.read_text().replace('"true"', '"echo changed"'))
    shown = bai.run("diff", spec, code=1).stdout
    assert "± job/test/job  replace" in shown
    assert "± job/other/job  replace" in shown
    refused = bai.run("apply", spec, code=2).stderr
    assert "the jobs test/job, other/job have changed" in refused
    assert "--rerun-job test/job --rerun-job other/job for these alone" in refused
    assert "did you mean other/job?" in bai.run("logs", "other/jbo", code=2).stderr
    assert "job/other/job replaced" in bai.run("apply", spec, "--rerun").stdout
    deleted = bai.run("delete", "-f", spec).stdout.splitlines()
    assert {"job/test/job deleted", "job/other/job deleted"} <= set(deleted)


def test_a_rank_that_a_job_has_not_is_wrong_usage(bai):
    bai.run("apply", bai.write(bai.custom("job", "true")))
    refused = bai.run("logs", "job", "--rank", 1, code=2).stderr
    assert refused == "error: job/job has no process 1: it has only rank 0\n"


def test_specs_come_from_standard_input(bai):
    text = bai.write(bai.custom("job", "echo piped")).read_text()
    assert "job/job succeeded" in bai.run("apply", "-", input=text).stdout
    assert "4 unchanged" in bai.run("diff", "-", input=text).stdout
    broken = bai.run("compile", "-", input=text.replace("nodeCount", "nodeCuont"), code=2).stderr
    assert "<stdin>:9:7: error BAI201" in broken
    assert "9 |       nodeCuont: 1" in broken


def test_a_changed_job_needs_consent_and_keeps_its_history(bai):
    bai.run("apply", bai.write(bai.custom("job", "echo one")))
    spec = bai.write(bai.custom("job", "echo two"))
    shown = bai.run("diff", spec, code=1).stdout
    assert "~ custom.command: echo one -> echo two" in shown
    refused = bai.run("apply", spec, code=2)
    assert "jobs are immutable" in refused.stderr
    assert "--rerun" in refused.stderr
    assert bai.run("logs", "job").stdout == "one\n"
    assert "job/job replaced" in bai.run("apply", spec, "--rerun").stdout
    assert bai.run("logs", "job").stdout == "two\n"
    assert bai.run("logs", "job", "--attempt", "1").stdout == "one\n"


def test_one_job_of_several_is_run_again(bai):
    bai.run("apply", bai.write(bai.custom("one", "echo 1") + bai.custom("two", "echo 2")))
    spec = bai.write(bai.custom("one", "echo 1") + bai.custom("two", "echo changed"))
    refused = bai.run("apply", "--rerun-job", "one", spec, code=2)
    assert "the job two has changed" in refused.stderr
    assert "add --rerun, or --rerun-job two for this one alone" in refused.stderr
    plan = bai.run("diff", "--rerun-job", "two", spec, code=1).stdout
    assert "replace: a new attempt" in plan
    assert "1 to replace, 4 unchanged" in plan
    done = bai.run("apply", "--rerun-job", "two", spec).stdout
    assert "job/one unchanged" in done
    assert "job/two replaced" in done
    done = bai.run("apply", spec, "--rerun-job", "test/one", "--rerun-job", "TWO").stdout
    assert done.count("started again") == 2
    unknown = bai.run("apply", spec, "--rerun-job", "tow", code=2).stderr
    assert unknown == "error: the specs have no job 'tow' (did you mean two?)\n"


def touched(path, seconds):
    """Set when a file was changed, in seconds from now."""
    os.utime(path, (time.time() + seconds,) * 2)


def test_files_that_changed_since_an_unchanged_job_ran_are_reported(bai):
    code = bai.folder / "code"
    (code / "deep").mkdir(parents=True)
    for name in ("train.py", "deep/module.py", ".hidden", "__pycache__/x.pyc"):
        (code / name).parent.mkdir(exist_ok=True)
        (code / name).write_text("open('made.py', 'w')\n")
        touched(code / name, -1000)
    text = bai.custom("job", "echo made > $AZ_BATCHAI_JOB_MOUNT_ROOT/code/made.py")
    text = text.replace("mounts: {r:", "mounts: {code: 'file:code', r:")
    spec = bai.write(text)
    bai.run("apply", spec)
    note = "deep/module.py in mount code has changed since attempt 1"
    # What the job has written, and what nobody writes by hand.
    for name in (".hidden", "__pycache__/x.pyc"):
        (code / name).touch()
    assert bai.run("diff", spec).stdout == "4 unchanged\n"
    assert note not in bai.run("apply", spec).stdout
    assert note not in bai.run("describe", "job", "job").stdout
    # A clock that is wrong proves nothing.
    touched(code / "deep/module.py", 1000)
    assert bai.run("diff", spec).stdout == "4 unchanged\n"
    (code / "deep/module.py").touch()
    shown = bai.run("diff", spec).stdout
    assert shown == f"= job/job  unchanged, but {note}: --rerun runs it again\n4 unchanged\n"
    done = bai.run("apply", spec).stdout
    assert done.splitlines()[-1].endswith(f"; --rerun starts a new attempt); {note}")
    assert f"\n  {note}\n\ncluster: c\n" in bai.run("describe", "job", "job").stdout
    assert "started again" in bai.run("apply", spec, "--rerun").stdout
    assert bai.run("diff", spec).stdout == "4 unchanged\n"


def test_files_that_are_gone_since_an_unchanged_job_ran_are_reported(bai):
    code = bai.folder / "code"
    (code / "deep").mkdir(parents=True)
    for name in ("train.py", "deep/module.py", "notes.txt~", "stays", "cleared"):
        (code / name).write_text("")
        touched(code / name, -1000)
    command = "cd $AZ_BATCHAI_JOB_MOUNT_ROOT/code; touch made; rm cleared"
    text = bai.custom("job", command).replace("mounts: {r:", "mounts: {code: 'file:code', r:")
    spec = bai.write(text)
    bai.run("apply", spec)
    # What the job made or removed, and what editors leave for a while.
    (code / "made").unlink()
    (code / "notes.txt~").unlink()
    assert bai.run("diff", spec).stdout == "4 unchanged\n"
    (code / "deep/module.py").rename(code / "deep/other.py")
    note = "deep/module.py (gone) in mount code has changed since attempt 1"
    shown = bai.run("diff", spec).stdout
    assert shown == f"= job/job  unchanged, but {note}: --rerun runs it again\n4 unchanged\n"
    # It is the same again.
    (code / "deep/other.py").rename(code / "deep/module.py")
    assert bai.run("diff", spec).stdout == "4 unchanged\n"
    (code / "stays").unlink()
    assert (
        "  stays (gone) in mount code has changed since attempt 1\n"
        in bai.run("describe", "job", "job").stdout
    )


def test_a_script_that_changed_while_its_job_ran_is_reported_other_files_are_not(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    code = bai.folder / "code"
    code.mkdir()
    (code / "train.py").write_text(f"print('begun', flush=True)\nopen({str(gate)!r}).read()\n")
    (code / "other.py").write_text("")
    text = (
        "    job:\n      nodeCount: 1\n      mounts: {r: azureFile:r, code: 'file:code'}\n"
        "      logs: ${mounts.r}\n      caffe2: {script: '${mounts.code}/train.py'}\n"
    )
    spec = bai.write(text)
    for name, reported in (("other.py", False), ("train.py", True)):
        with bai.start("apply", spec, "--rerun") as process:
            while "begun" not in process.stdout.readline():
                assert process.poll() is None, process.stderr.read()
            (code / name).touch()
            # Of a job that runs, nothing is said.
            assert "has changed" not in bai.run("diff", spec).stdout
            gate.write_text("go\n")
            assert "job/job succeeded" in process.stdout.read()
        note = "train.py in mount code has changed since attempt"
        assert (note in bai.run("diff", spec).stdout) is reported


def test_a_job_that_is_named_to_run_again_but_runs_still(bai):
    spec = bai.write(bai.custom("long", "sleep 600"))
    bai.run("apply", "-d", spec)
    assert "job/long unchanged" in bai.run("apply", "-d", "--rerun", spec).stdout
    refused = bai.run("apply", "--rerun-job", "long", spec, code=2).stderr
    assert "wait for its end (`bai wait test/long`)" in refused


def test_rerun_starts_an_unchanged_job_again(bai):
    spec = bai.write(bai.custom("again", "echo run"))
    bai.run("apply", spec)
    assert "job/again started again" in bai.run("apply", spec, "--rerun").stdout
    described = bai.run("describe", "job", "again").stdout
    assert described.count("job/again succeeded") == 2


def test_a_cluster_changes_in_place_in_its_scale_only(bai):
    job = bai.custom("job", "true")
    bai.run("apply", bai.write(job, scale=1))
    shown = bai.run("diff", bai.write(job, scale=2), code=1).stdout
    assert "~ cluster/c  change in place" in shown
    assert "cluster/c configured" in bai.run("apply", bai.write(job, scale=2)).stdout
    spec = bai.write(job, scale=2)
    spec.write_text(spec.read_text().replace("STANDARD_D2_V2", "STANDARD_NC6"))
    refused = bai.run("apply", spec, code=2)
    assert "BAI406" in refused.stderr
    assert "bai delete cluster c" in refused.stderr


def test_dry_runs_write_nothing(bai):
    spec = bai.write(bai.custom("job", "true"))
    client = bai.run("apply", spec, "--dry-run", "client").stdout
    assert "job/job compiles (dry run)" in client
    assert not (bai.folder / ".bai").exists()
    bai.run("apply", spec, "--dry-run", "server")
    assert "there are no jobs" in bai.run("get", "jobs").stderr


def test_a_dry_run_without_a_value_shows_the_plan(bai):
    spec = bai.write(bai.custom("job", "true"))
    shown = bai.run("apply", spec, "--dry-run=server").stdout
    assert "job/job" in shown
    assert bai.run("apply", "--dry-run", spec).stdout == shown
    assert bai.run("apply", spec, "--dry-run").stdout == shown
    assert not (bai.folder / ".bai").exists()
    assert "compiles" in bai.run("apply", "--dry-run", "client", spec).stdout
    assert "did you mean client?" in bai.run("apply", "--dry-run=clent", spec, code=2).stderr
    assert "no such file" in bai.run("apply", "--", "--dry-run", code=2).stderr.lower()


@pytest.mark.parametrize(("dry", "word"), [("client", "compiled"), ("server", "create")])
def test_dry_runs_for_programs(bai, dry, word):
    spec = bai.write(bai.custom("job", "true"))
    shown = json.loads(bai.run("apply", spec, f"--dry-run={dry}", "-o", "json").stdout)
    assert [(each["kind"], each["name"]) for each in shown][-1] == ("job", "job")
    assert {each["result"] for each in shown} == {word}
    names = bai.run("apply", spec, f"--dry-run={dry}", "-o", "name").stdout
    assert names.splitlines()[-1] == "job/job"


def test_a_spec_is_nothing_to_import(bai):
    spec = bai.write(bai.custom("job", "true"))
    said = bai.run("import", spec, code=2).stderr
    assert "this is a spec, and no file of Batch AI's" in said
    assert "`bai compile` turns it into such files" in said


def test_places_of_many_meanings_are_not_all_listed(bai):
    said = bai.run("explain", "keyVault", code=2).stderr
    assert "cluster.user.password.keyVault or another one?)" in said


def test_a_refused_plan_says_why_and_nothing_else(bai):
    spec = bai.write(bai.custom("big", "true", nodeCount=8), scale=8)
    done = bai.run("apply", spec, code=2)
    assert done.stdout == ""
    assert "BAI802" in done.stderr


def test_a_plan_comes_before_its_findings(bai):
    spec = bai.write(bai.custom("big", "true", nodeCount=8), scale=8)
    shell = f"{bai.command[0]} diff {spec} 2>&1"
    done = subprocess.run(
        ["bash", "-c", shell], cwd=bai.folder, env=bai.environment, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert 0 < done.stdout.index("4 to create") < done.stdout.index("BAI802")


def test_a_run_too_large_is_refused_and_can_be_scaled_down(bai):
    spec = bai.write(bai.custom("big", "true", nodeCount=8), scale=8)
    refused = bai.run("apply", spec, code=2)
    assert "BAI802" in refused.stderr
    assert "--max-nodes 2 --max-processes 2" in refused.stderr
    assert "there are no jobs" in bai.run("get", "jobs").stderr
    done = bai.run("apply", spec, "--max-nodes", "2", "--max-processes", "2")
    assert "note: job big: nodeCount 8 -> 2" in done.stdout
    assert "note: cluster c: targetNodeCount 8 -> 2" in done.stdout
    assert "job/big succeeded" in done.stdout


def test_a_container_is_refused_unless_told_otherwise(bai):
    bai.context(slots=2, containers="none")
    keys = {"container": "ubuntu:22.04", "preparation": "touch $AZ_BATCHAI_JOB_TEMP/prepared"}
    spec = bai.write(bai.custom("box", "ls", **keys))
    refused = bai.run("apply", spec, code=2)
    assert "BAI803" in refused.stderr
    done = bai.run("apply", spec, "--without-containers")
    assert "note: job box: runs outside its image ubuntu:22.04, without its prep" in done.stdout
    assert bai.run("logs", "box").stdout == ""
    bai.run("apply", spec, "--without-containers", "--with-preparation", "--rerun")
    assert bai.run("logs", "box").stdout == "prepared\n"
    alone = bai.run("diff", spec, "--with-preparation", code=2)
    assert "it goes with --without-containers" in alone.stderr


def test_what_has_no_effect_here_is_said(bai):
    spec = bai.write(bai.custom("job", "true"))
    mount = "mounts: {m: 'azureFile:m?fileMode=0700'}"
    setup = f"setupTask: {{command: apt update, logs: '${{mounts.m}}'}}, {mount}"
    spec.write_text(spec.read_text().replace("scale: 2}", f"scale: 2, {setup}}}"))
    done = bai.run("apply", spec)
    assert "warning BAI805 setupTask has no effect on this machine" in done.stderr
    assert "warning BAI510 fileMode of the mount 'm' has no effect on this machine" in done.stderr
    assert "job/job succeeded" in done.stdout


def test_a_job_on_a_missing_cluster_is_refused_before_anything_is_written(bai):
    spec = bai.write(bai.custom("job", "true", cluster="elsewhere"))
    refused = bai.run("apply", spec, code=2)
    assert "BAI407" in refused.stderr
    assert "elsewhere" in refused.stderr
    assert "there are no clusters" in bai.run("get", "clusters").stderr


def test_a_missing_file_server_is_refused_where_it_is_mounted(bai):
    spec = bai.write(bai.custom("job", "true"))
    mount = "scale: 2, mounts: {data: 'fileServer://nsf/data'}}"
    disks, user = "{count: 1, size: 1g, type: standard}", "{name: u, sshKey: k}"
    servers = f"  fileServers: {{nfs: {{vmSize: S, disks: {disks}, user: {user}}}}}\n  jobs:"
    spec.write_text(spec.read_text().replace("scale: 2}", mount))
    refused = bai.run("apply", spec, code=2)
    assert "BAI407 there is no file server 'nsf'" in refused.stderr
    assert "help: declare it under fileServers, or apply the file that does" in refused.stderr
    spec.write_text(spec.read_text().replace("  jobs:", servers))
    refused = bai.run("apply", spec, code=2)
    assert "help: did you mean nfs?" in refused.stderr
    assert refused.stderr.count("BAI4") == 1
    spec.write_text(spec.read_text().replace("nsf", "nfs"))
    assert "job/job succeeded" in bai.run("apply", spec).stdout


def test_a_missing_script_is_named_with_the_place_that_names_it(bai):
    text = (
        "    job:\n      nodeCount: 1\n      mounts: {r: azureFile:r, code: 'file:.'}\n"
        "      logs: ${mounts.r}\n      horovod: {script: '${mounts.code}/nothing.py'}\n"
    )
    refused = bai.run("apply", bai.write(text), code=2)
    assert re.search(r"experiment\.yaml:\d+:\d+: error BAI721 there is no script", refused.stderr)


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("a: [1\n", "is not closed"),
        ("apiVersion: bai/v1\nkind: Experiment\n", "'metadata' is missing"),
        ('{"properties": {"nodeCount": 1}}', "the key 'stdOutErrPathPrefix' is missing"),
        ("\x00", "U+0000"),
        ("", "empty"),
    ],
)
def test_bad_files_are_explained(bai, content, part):
    (bai.folder / "bad.yaml").write_text(content)
    done = bai.run("lint", "bad.yaml", code=1)
    assert part in done.stdout
    assert re.match(r"bad\.yaml:\d+:\d+: error BAI\d{3} ", done.stdout)
    assert bai.run("apply", "bad.yaml", code=2).stdout == ""


def test_a_secret_in_plain_text_is_not_shown_once_more(bai):
    bai.write(bai.custom("job", "true", secrets="{TOKEN: hunter2}"))
    done = bai.run("lint", "experiment.yaml", code=1)
    assert "BAI601" in done.stdout
    assert "TOKEN: *******}" in done.stdout
    assert "hunter2" not in done.stdout
    job = {"nodeCount": 1, "stdOutErrPathPrefix": "x", "customToolkitSettings": {}}
    job["secrets"] = [{"name": "TOKEN", "value": "hunter2"}]
    (bai.folder / "job.json").write_text(json.dumps({"properties": job}))
    done = bai.run("import", "job.json", code=None)
    assert "BAI603" in done.stderr
    assert "hunter2" not in done.stderr + done.stdout


def test_missing_things_are_said_plainly(bai):
    reason = "error BAI110 can't read the file: No such file or directory"
    assert bai.run("lint", "none.yaml", code=1).stdout.splitlines()[0] == f"none.yaml: {reason}"
    assert bai.run("compile", "none.yaml", code=2).stderr.startswith(f"none.yaml: {reason}")
    terse = bai.run("lint", "none.yaml", "-o", "terse", code=1).stdout
    assert terse.startswith("none.yaml:1:1: BAI110 ")
    assert "there is no job 'x'" in bai.run("logs", "x", code=2).stderr
    assert "there is no kind 'jbos' (did you mean jobs?)" in " ".join(
        bai.run("get", "jbos", code=2).stderr.split()
    )
    assert "fileServers, clusters, experiments, jobs, nodes, sweeps)" in " ".join(
        bai.run("get", "things", code=2).stderr.split()
    )
    bai.context(slotz=2)
    wrong = bai.run("get", code=2).stderr
    assert "bai.toml:5:1: contexts.test.engine.slotz is no key of the engine local (did" in wrong


def test_a_damaged_state_is_said_plainly(bai):
    (bai.folder / ".bai").mkdir()
    (bai.folder / ".bai/state.db").write_bytes(b"not a database at all" * 100)
    done = bai.run("get", code=2)
    assert "is damaged or no database" in done.stderr
    (bai.folder / ".bai/state.db").unlink()


def test_compile_prints_resources_and_writes_files_for_az(bai):
    spec = bai.write(bai.custom("job", "true"))
    resources = json.loads(bai.run("compile", spec).stdout)
    kinds = [resource["type"].rsplit("/", 1)[-1] for resource in resources]
    assert kinds == ["workspaces", "experiments", "clusters", "jobs"]
    assert "type: Microsoft.BatchAI/workspaces" in bai.run("compile", spec, "-o", "yaml").stdout
    bai.run("compile", spec, "-d", "out")
    assert sorted(path.name for path in (bai.folder / "out").iterdir()) == [
        "cluster.json",
        "commands.sh",
        "job.json",
    ]
    job = json.loads((bai.folder / "out/job.json").read_text())
    assert "cluster" not in job["properties"]
    imported = bai.run("import", "out/job.json", "out/cluster.json", "--job", "job")
    (bai.folder / "back.yaml").write_text(imported.stdout)
    again = json.loads(bai.run("compile", "back.yaml").stdout)
    assert again[3]["properties"]["customToolkitSettings"] == {"commandLine": "true"}


def test_import_overwrites_no_file_unasked(bai):
    bai.run("compile", bai.write(bai.custom("job", "true")), "-d", "out")
    bai.run("import", "out/job.json", "-o", "back.yaml")
    imported = (bai.folder / "back.yaml").read_text()
    (bai.folder / "back.yaml").write_text("mine")
    said = bai.run("import", "out/job.json", "-o", "back.yaml", code=2).stderr
    assert "back.yaml exists: add --force to overwrite it, or name another file" in said
    assert (bai.folder / "back.yaml").read_text() == "mine"
    bai.run("import", "out/job.json", "-o", "back.yaml", "--force")
    assert (bai.folder / "back.yaml").read_text() == imported


FOR_AZ = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: test}
spec:
  clusters:
    c: {vmSize: S, scale: 1, user: {name: u, password: env:PW}}
  jobs:
    j:
      nodeCount: 1
      secrets: {TOKEN: file:token}
      mounts:
        share: azureFile:share
        code: file:code
      logs: ${mounts.share}
      custom: {command: ls}
"""


def test_files_for_az_come_with_warnings_of_what_means_nothing_there(bai):
    (bai.folder / "spec.yaml").write_text(FOR_AZ)
    done = bai.run("compile", "spec.yaml", "-d", "out")
    lines = [line.split(" ")[:3] for line in done.stderr.splitlines() if " warning " in line]
    assert lines == [
        ["spec.yaml:3:1:", "warning", "BAI211"],
        ["spec.yaml:6:56:", "warning", "BAI620"],
        ["spec.yaml:10:24:", "warning", "BAI620"],
        ["spec.yaml:13:15:", "warning", "BAI530"],
    ]
    assert "'local'" in done.stderr
    assert f"{bai.folder}/code" in done.stderr
    assert "warning" not in done.stdout


def test_files_for_az_that_need_nothing_of_this_machine_come_without_warnings(bai):
    text = FOR_AZ.replace("name: test", "name: t, workspace: w, resourceGroup: g, location: eastus")
    text = text.replace("password: env:PW", "sshKey: k").replace("file:code", "azureFile:code")
    (bai.folder / "spec.yaml").write_text(text.replace("{TOKEN: file:token}", "{}"))
    assert bai.run("compile", "spec.yaml", "-d", "out").stderr == ""


@pytest.mark.parametrize(
    ("clusters", "way"),
    [("clusters: {c: {scale: 1}}", "write vmSize"), ("clusters: {}", "below `clusters`")],
)
def test_no_files_for_az_are_written_without_a_size(bai, clusters, way):
    text = FOR_AZ.replace(
        "clusters:\n    c: {vmSize: S, scale: 1, user: {name: u, password: env:PW}}", clusters
    )
    (bai.folder / "spec.yaml").write_text(text)
    done = bai.run("compile", "spec.yaml", "-d", "out", code=2)
    assert "error BAI215" in done.stderr
    assert way in done.stderr
    assert not (bai.folder / "out").exists()
    (bai.folder / "bai.toml").write_text('[contexts.azure]\nvm-size = "STANDARD_NC6"\n')
    assert "BAI215" not in bai.run("compile", "spec.yaml", "-d", "out").stderr
    written = (bai.folder / "out/cluster.json").read_text()
    assert '"vmSize": "STANDARD_NC6"' in written


def test_no_files_for_az_are_written_of_a_file_server_without_a_size(bai):
    server = "disks: {count: 1, size: 8g, type: premium}, user: {name: u, sshKey: k}"
    text = FOR_AZ.replace("clusters:", f"fileServers: {{nfs: {{{server}}}}}\n  clusters:")
    (bai.folder / "spec.yaml").write_text(text)
    (bai.folder / "bai.toml").write_text('[contexts.azure]\nvm-size = "STANDARD_NC6"\n')
    done = bai.run("compile", "spec.yaml", "-d", "out", code=2)
    assert (
        "spec.yaml:5:17: error BAI215 nothing says the vmSize of the file server nfs" in done.stderr
    )
    assert not (bai.folder / "out").exists()
    (bai.folder / "code").mkdir()
    (bai.folder / "token").write_text("secret")
    assert "+ fileServer/nfs  create" in bai.run("diff", "spec.yaml", code=1).stdout


@pytest.mark.parametrize("folder", ["taken", "taken/below/it"])
def test_a_file_in_place_of_the_folder_for_az_is_said_plainly(bai, folder):
    spec = bai.write(bai.custom("job", "true"))
    (bai.folder / "taken").write_text("kept")
    done = bai.run("compile", spec, "-d", folder, code=2)
    assert "--folder: taken is a file, expected a folder" in done.stderr
    assert (bai.folder / "taken").read_text() == "kept"


def test_explain_documents_every_key(bai):
    text = bai.run("explain", "job.horovod").stdout
    assert "processesPerNode" in text
    assert "Number of processes on each node," in text
    assert "did you mean script?" in bai.run("explain", "job.horovod.scirpt", code=2).stderr


def test_delete_removes_what_a_spec_declares_and_keeps_storage(bai):
    spec = bai.write(bai.custom("job", "sleep 600"))
    bai.run("apply", "-d", spec)
    bai.run("wait", "job", "--for", "running")
    done = bai.run("delete", "-f", spec, "-y")
    assert "job/job deleted" in done.stdout
    assert "there are no jobs" in bai.run("get").stderr
    assert list((bai.folder / ".bai/jobs").iterdir()) == []
    assert list((bai.folder / ".bai/storage/default/files/r").iterdir())


def test_delete_asks_before_it_ends_a_job(bai):
    spec = bai.write(bai.custom("job", "sleep 600"))
    bai.run("apply", "-d", spec)
    bai.run("wait", "job", "--for", "running")
    for what in (["job", "job"], ["-f", spec], ["experiment", "test"]):
        refused = bai.run("delete", *what, code=2, stdin=subprocess.DEVNULL)
        assert "job is running: add --yes" in refused.stderr
    bai.run("cancel", "job")
    assert "job/job deleted" in bai.run("delete", "-f", spec, stdin=subprocess.DEVNULL).stdout


def test_a_job_is_described_first_by_how_it_stands(bai):
    outputs = '{MODEL: "${mounts.r}"}'
    bai.run("apply", bai.write(bai.custom("job", "exit 3", outputs=outputs)), code=1)
    spec = bai.write(bai.custom("job", "exit 4", outputs=outputs))
    bai.run("apply", spec, "--rerun", code=1)
    described = bai.run("describe", "job", "job").stdout
    summary, details, first, second = described.split("\n\n")
    state, why, model, logs = summary.splitlines()
    assert re.fullmatch(r"job/job failed in \S+, exit code 4", state)
    assert why.startswith("  JobFailed: ")
    assert re.fullmatch(r"  model +/.+/outputs", model)
    assert re.fullmatch(r"  logs +/.+/stdouterr", logs)
    assert details.startswith("cluster: c\nnodeCount: 1\nmounts:\n  r: azureFile:r\n")
    # What is said above is not said again.
    assert re.match(r"attempt 1 \(\S+\)\njob/job failed in \S+, exit code 3\n", first)
    assert re.match(r"attempt 2 \(\S+\)\n  \d{4}-", second)


def test_delete_asks_before_it_takes_all_of_a_workspace(bai):
    bai.run("apply", bai.write(bai.custom("one", "true") + bai.custom("two", "true")))
    deleting = ["delete", "workspace", "local"]
    refused = bai.run(*deleting, code=2, stdin=subprocess.DEVNULL).stderr
    holds = "workspace/local holds 1 cluster, 1 experiment, 2 jobs"
    assert refused == f"error: {holds}: add --yes to delete all of it\n"
    for answer, code in (("n", 2), ("y", 0)):
        assert len(bai.run("get", "-o", "name").stdout.split()) == 2
        terminal = Terminal(bai, *deleting)
        terminal.until(f"Delete workspace/local? ({holds})")
        os.write(terminal.screen, f"{answer}\n".encode())
        assert terminal.end() == code
    assert "there are no workspaces" in bai.run("get", "workspaces").stderr
    bai.run("apply", bai.write(bai.custom("one", "true")))
    bai.run(*deleting, "--yes", stdin=subprocess.DEVNULL)
    assert "there are no jobs" in bai.run("get").stderr


def test_storage_reads_and_writes_pipes(bai):
    bai.run("storage", "cp", "-", "azureFile:share/dir/x", input="data")
    assert bai.run("storage", "cp", "azureFile:share/dir/x", "-").stdout == "data"
    assert not (bai.folder / "-").exists()
    for folder in ("azureFile:share", "azureFile:share/dir", "azureFile:share/new/"):
        done = bai.run("storage", "cp", "-", folder, input="data", code=2)
        assert "say the file's name" in done.stderr
    gone = bai.run("storage", "cp", "azureFile:share/y", "-", code=2).stderr
    assert gone == "error: there is nothing at azureFile:share/y\n"


def test_a_place_that_is_not_there_is_reported_with_the_account_that_was_searched(bai):
    (bai.folder / "in.txt").write_text("data")
    bai.run("storage", "cp", "in.txt", "azureFile://acct/results/")
    gone = bai.run("storage", "ls", "azureFile:results", code=2).stderr
    assert "there is nothing at azureFile:results in the account default" in gone
    assert gone.endswith("(did you mean azureFile://acct/results?)\n")
    gone = bai.run("storage", "ls", "azureFile://acct/reslts/in.txt", code=2).stderr
    assert gone.endswith(" in the account acct (did you mean azureFile://acct/results/in.txt?)\n")
    gone = bai.run("storage", "ls", "azureFile:data", code=2).stderr
    assert gone.endswith(" in the account default (there is: azureFile://acct/results)\n")
    for verb in (["cp"], ["rm"]):
        target = ["."] if verb == ["cp"] else []
        gone = bai.run("storage", *verb, "azureFile://acct/results/inn.txt", *target, code=2).stderr
        assert gone.endswith("results/inn.txt (did you mean azureFile://acct/results/in.txt?)\n")


def test_storage_is_listed_with_all_in_it_and_without_an_address(bai):
    nothing = bai.run("storage", "ls")
    assert nothing.stdout == ""
    assert nothing.stderr == f"there are no shares in {bai.folder}/.bai/storage\n"
    for place in ("azureFile:share/dir/x", "azureFile:share/y", "azureBlob://acct/box/z"):
        bai.run("storage", "cp", "-", place, input="data")
    # What a link leads to, here a folder that it is in, is not listed.
    (bai.folder / ".bai/storage/default/files/share/dir/link").symlink_to("..")
    assert bai.run("storage", "ls").stdout == "azureFile:share\nazureBlob://acct/box\n"

    def names(*arguments):
        return [
            line.split()[-1] for line in bai.run("storage", "ls", *arguments).stdout.splitlines()
        ]

    assert names("azureFile:share") == ["NAME", "dir/", "y"]
    inside = ["dir/", "dir/link/", "dir/x", "y"]
    assert names("-r", "azureFile:share") == ["NAME", *inside]
    boxes = ["azureBlob://acct/box/", "azureBlob://acct/box/z"]
    shares = ["azureFile:share/", *(f"azureFile:share/{name}" for name in inside)]
    assert names("-r") == ["NAME", *shares, *boxes]


def test_storage_moves_files_in_and_out(bai):
    (bai.folder / "in.txt").write_text("data")
    bai.run("storage", "cp", "in.txt", "azureFile:share/dir/")
    assert "in.txt" in bai.run("storage", "ls", "azureFile:share/dir").stdout
    bai.run("storage", "cp", "azureFile:share", "azureBlob://acct/box", "-r")
    bai.run("storage", "cp", "azureBlob://acct/box/dir/in.txt", "out.txt")
    assert (bai.folder / "out.txt").read_text() == "data"
    assert "leads out" in bai.run("storage", "ls", "azureFile:share/../../..", code=2).stderr
    refused = bai.run("storage", "rm", "azureFile:share", code=2).stderr
    assert refused == "error: azureFile:share is a folder: -r removes all of it\n"
    refused = bai.run("storage", "cp", "azureFile:share", "copy", code=2).stderr
    assert refused == "error: azureFile:share is a folder: -r copies all of it\n"
    bai.run("storage", "rm", "-r", "azureFile:share", "--yes")
    assert "there is nothing" in bai.run("storage", "ls", "azureFile:share", code=2).stderr


def test_a_share_that_is_created_is_reported(bai):
    (bai.folder / "in.txt").write_text("data")
    first = bai.run("storage", "cp", "in.txt", "azureFile:inputs/").stdout
    assert first == "created azureFile:inputs\ncopied 1 file\n"
    assert bai.run("storage", "cp", "in.txt", "azureFile:inputs/").stdout == "copied 1 file\n"
    slip = bai.run("storage", "cp", "-", "azureFile:inptus/x", input="data").stdout
    assert slip == (
        "created azureFile:inptus; did you mean azureFile:inputs? "
        "`bai storage rm -r azureFile:inptus` removes it\n"
    )
    other = bai.run("storage", "cp", "-r", "azureFile:inputs", "azureBlob://acct/inputs").stdout
    assert other == "created azureBlob://acct/inputs\ncopied 1 file\n"
    assert bai.run("storage", "cp", "azureFile:inputs/in.txt", "out").stdout == "copied 1 file\n"
    # A folder that is copied to an account becomes a share.
    (bai.folder / "models").mkdir()
    (bai.folder / "models/m").write_text("m")
    made = bai.run("storage", "cp", "-r", "models", "azureFile:").stdout
    assert made == "created azureFile:models\ncopied 1 file\n"


def test_all_of_a_share_is_removed_on_the_user_s_word_alone(bai):
    bai.run("storage", "cp", "-", "azureFile:share/dir/x", input="data")
    removing = ("storage", "rm", "-r", "azureFile:share")
    refused = bai.run(*removing, code=2, stdin=subprocess.DEVNULL).stderr
    assert refused == "error: azureFile:share is a whole share: add --yes to remove all of it\n"
    for answer, code in (("n", 2), ("y", 0)):
        assert (bai.folder / ".bai/storage/default/files/share/dir/x").exists()
        terminal = Terminal(bai, *removing)
        terminal.until("Remove all of azureFile:share?")
        os.write(terminal.screen, f"{answer}\n".encode())
        assert terminal.end() == code
    assert not (bai.folder / ".bai/storage/default/files/share").exists()
    bai.run("storage", "cp", "-", "azureFile:share/dir/x", input="data")
    # A folder in it is what was named, and of what is not there nobody is asked.
    bai.run("storage", "rm", "-r", "azureFile:share/dir", stdin=subprocess.DEVNULL)
    nothing = bai.run("storage", "rm", "-r", "azureFile:shrae", code=2, stdin=subprocess.DEVNULL)
    assert "there is nothing at azureFile:shrae" in nothing.stderr


def test_a_reader_that_goes_away_is_no_error(bai):
    spec = bai.write("".join(bai.custom(f"job{n}", "true") for n in range(300)))
    shell = f"{bai.command[0]} compile {spec} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", shell], cwd=bai.folder, env=bai.environment, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[0] == "["
    assert done.stderr == ""


def test_ctrl_c_detaches_and_says_how_to_come_back(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    spec = bai.write(bai.custom("long", f"echo begun; read x < {gate}; echo got $x"))
    terminal = Terminal(bai, "apply", spec)
    terminal.until("begun")
    os.kill(terminal.pid, signal.SIGINT)
    assert terminal.end() == 130
    assert "bai logs -f long" in terminal.text
    assert "bai cancel long" in terminal.text
    gate.write_text("it\n")
    assert "got it" in bai.run("logs", "-f", "long").stdout


def test_a_terminal_shows_colours_and_a_progress_line_and_a_pipe_neither(bai):
    line = '{"time": 1, "step": 3, "total": 4, "values": {"loss": 0.25}}'
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    report = f"echo '{line}' >> $BAI_METRICS_FILE"
    spec = bai.write(bai.custom("job", f"{report}; read x < {gate}"))
    terminal = Terminal(bai, "apply", spec)
    terminal.until("3/4  loss 0.25")
    gate.write_text("go\n")
    assert terminal.end() == 0
    assert "\x1b[32" in terminal.text
    piped = bai.run("apply", bai.write(bai.custom("job", report)), "--rerun")
    assert "\x1b" not in piped.stdout
    assert "\r" not in piped.stdout
    assert "metrics   loss 0.25" in piped.stdout


def test_a_progress_bar_moves_in_the_status_line_and_ends_as_one_line(bai):
    gate = bai.folder / "gate"
    os.mkfifo(gate)
    bar = r"printf '\r 0%%\r 50%%'"
    spec = bai.write(bai.custom("job", f"echo begun; {bar}; read x < {gate}; printf '\r100%%\\n'"))
    terminal = Terminal(bai, "apply", spec)
    terminal.until("  50%")
    gate.write_text("go\n")
    assert terminal.end() == 0
    assert "\r\n100%\r\n" in terminal.text.replace("\r\x1b[2K", "\r\n")
    assert bai.run("logs", "job").stdout == "begun\n100%\n"


def test_a_terminal_asks_before_it_replaces_a_job(bai):
    bai.run("apply", bai.write(bai.custom("job", "echo one")))
    spec = bai.write(bai.custom("job", "echo two"))
    terminal = Terminal(bai, "apply", spec)
    terminal.until("[y/N]")
    os.write(terminal.screen, b"n\n")
    assert terminal.end() == 2
    terminal = Terminal(bai, "apply", spec)
    terminal.until("[y/N]")
    os.write(terminal.screen, b"y\n")
    assert terminal.end() == 0
    assert bai.run("logs", "job").stdout == "two\n"


def test_commands_that_only_read_leave_nothing_behind(bai):
    spec = bai.write(bai.custom("job", "true", nodeCount=1))
    before = sorted(bai.folder.iterdir())
    listed = bai.run("get")
    assert listed.stderr == f"there are no jobs in {bai.folder}/.bai\n"
    assert json.loads(bai.run("get", "-o", "json").stdout) == []
    assert "4 to create" in bai.run("diff", spec, code=1).stdout
    bai.run("apply", spec, "--dry-run", "server")
    for command in ("logs", "wait", "cancel", "describe job", "delete job", "get job"):
        asked = bai.run(*command.split(), "none", code=2)
        said = f"there is no job 'none' in {bai.folder}/.bai (there are no jobs at all)"
        assert said in asked.stderr
    assert "nothing to delete" in bai.run("delete", "-f", spec).stdout
    assert sorted(bai.folder.iterdir()) == before


def test_a_plan_that_is_refused_leaves_nothing_behind(bai):
    bai.run("apply", bai.write(bai.custom("job", "true", container="localhost/box")), code=2)
    assert not (bai.folder / ".bai").exists()


def test_an_interpreter_that_is_not_there_is_no_other_one(bai):
    bai.context(slots=2, python="/no/python")
    spec = bai.write(bai.custom("job", "true"))
    for verb in ("diff", "apply"):
        assert "there is no program /no/python" in bai.run(verb, spec, code=2).stderr
    assert "there are no jobs" in bai.run("get").stderr


def test_a_dry_run_shows_the_plan(bai):
    spec = bai.write(bai.custom("job", "true"))
    shown = bai.run("apply", "--dry-run=server", spec).stdout
    assert "+ job/job  create" in shown
    assert shown.endswith("4 to create\n")
    bai.run("apply", spec)
    assert bai.run("apply", "--dry-run=server", spec).stdout == "4 unchanged\n"
    assert "run again" in bai.run("diff", "--rerun", spec, code=1).stdout


def test_a_reader_of_storage_that_goes_away_is_no_error(bai):
    bai.run("storage", "cp", "-", "azureFile:share/x", input="x" * 1_000_000)
    shell = f"{bai.command[0]} storage cp azureFile:share/x - | head -c 3"
    done = subprocess.run(
        ["bash", "-c", shell], cwd=bai.folder, env=bai.environment, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("xxx", "")


def test_what_is_no_file_is_removed_from_storage_as_well(bai):
    pipe = bai.folder / ".bai/storage/default/files/r/pipe"
    pipe.parent.mkdir(parents=True)
    os.mkfifo(pipe)
    bai.run("storage", "rm", "azureFile:r/pipe")
    assert not pipe.exists()


@pytest.mark.parametrize("wrong", ["azurefile:r/", "azureFiles://default/r/", "AzureBlob:c"])
def test_a_misspelt_address_is_no_path(bai, wrong):
    file = bai.folder / "a.txt"
    file.touch()
    reported = bai.run("storage", "cp", file, wrong, code=2).stderr
    assert "is no address in a storage account (did you mean azure" in reported
    assert sorted(path.name for path in bai.folder.iterdir()) == ["a.txt", "bai.toml"]


def test_a_table_fits_a_narrow_terminal_and_is_whole_in_a_pipe(bai):
    name = "a-job-that-has-a-name-of-forty-characters"
    bai.run("apply", bai.write(bai.custom(name, "true")))
    bai.environment |= {"COLUMNS": "70", "NO_COLOR": "1"}
    terminal = Terminal(bai, "get")
    assert terminal.end() == 0
    head, row, note = terminal.text.splitlines()
    assert row.startswith(f"{name}  test  ")
    assert max(len(head), len(row)) <= 70
    assert "STATE" in head
    assert note.startswith("no room for CLUSTER, TOOL, NODES, ")
    whole = bai.run("get").stdout
    assert [len(line.split()) for line in whole.splitlines()] == [10, 10]


def test_a_context_is_shown_by_its_name(bai):
    bai.context(slots=2)
    with (bai.folder / "bai.toml").open("a") as file:
        file.write("[contexts.large.engine]\nslots = 64\n")
    for words in (["large"], ["--context", "large"], ["large", "--context", "large"]):
        shown = bai.run("context", "show", *words).stdout
        assert re.search(r"^name +large$", shown, re.M)
        assert re.search(r"^engine\.slots +64$", shown, re.M)
    assert re.search(r"^name +test$", bai.run("context", "show").stdout, re.M)
    assert "did you mean large?" in bai.run("context", "show", "lrage", code=2).stderr
    two = bai.run("context", "show", "large", "--context", "test", code=2).stderr
    assert "'large', but --context says 'test'" in two
