"""The same power from Python: what a notebook does."""

import io
import json
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bai
from bai import poll_interval
from bai.cli.follow import follow
from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.records import ExecutionState
from bai.runtime.live_wire import to_live_wire
from bai.runtime.provider.database import Database
from bai.runtime.provider.keeper import Keeper
from bai.specs.findings import FindingsError

pytestmark = pytest.mark.slow  # Jobs run.
SPEC = """
apiVersion: bai/v1
kind: Experiment
metadata: {name: notebook}
spec:
  clusters: {c: {vmSize: S, scale: 1}}
  jobs:
    count:
      nodeCount: 1
      mounts: {r: azureFile:r}
      outputs: {O: "${mounts.r}"}
      logs: ${mounts.r}
      custom: {command: COMMAND}
"""
REPORT = (
    'for n in 1 2 3; do echo "line $n"; '
    'echo "{\\"time\\": $n, \\"step\\": $n, \\"total\\": 3, \\"values\\": {\\"loss\\": 0.$n}}" '
    ">> $BAI_METRICS_FILE; done; echo oops >&2; echo x > $AZ_BATCHAI_OUTPUT_O/file"
)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AZURE_BATCHAI_STORAGE_ACCOUNT", raising=False)
    return tmp_path


def spec(command):
    return SPEC.replace("COMMAND", json.dumps(command))


def test_one_thread_follows_a_job_and_another_one_cancels_it(here):
    (here / "e.yaml").write_text(spec("echo begun; sleep 600"))
    job = bai.load("e.yaml").apply().jobs["count"]
    with ThreadPoolExecutor(1) as pool:
        begun = threading.Event()

        def follow():
            for line in job.logs(follow=True):
                assert line.text == "begun"
                begun.set()

        following = pool.submit(follow)
        assert begun.wait(60)
        job.cancel()
        following.result()
    assert job.attempt.outcome == "cancelled"


def test_load_diff_apply_follow(here):
    (here / "e.yaml").write_text(spec(REPORT))
    experiment = bai.load("e.yaml")
    assert experiment.lint() == ()
    assert [r.id.name for r in experiment.compile()[0].resources][-1] == "count"
    plan = experiment.diff()
    assert [change.action.value for change in plan.pending] == ["create"] * 4
    result = experiment.apply(plan)
    job = result.jobs["count"]
    lines = list(job.logs(follow=True))
    assert [line.text for line in lines if line.stream == "stdout"] == [
        "line 1",
        "line 2",
        "line 3",
    ]
    assert [line.text for line in lines if line.stream == "stderr"] == ["oops"]
    assert [each.values for each in job.metrics(follow=True)] == [
        {"loss": 0.1},
        {"loss": 0.2},
        {"loss": 0.3},
    ]
    assert result.wait(60).jobs["count"].state is ExecutionState.SUCCEEDED
    assert job.final_metrics() == {"loss": 0.3}
    assert job.outputs["O"].read("file") == b"x\n"
    assert (Path(job.outputs["O"].address) / "file").read_text() == "x\n"
    assert job.log_files.read("stderr.txt") == b"oops\n"
    assert b"".join(job.log_text(stream="stdout")) == b"line 1\nline 2\nline 3\n"
    assert "succeeded" in repr(job)
    assert experiment.diff().pending == ()
    again = bai.connect().job("notebook/count")
    assert [event.message for event in again.events()][-1] == "succeeded"


def test_the_lines_of_one_process_are_chosen_by_its_rank_or_name(here):
    alone = bai.loads(spec("echo out")).apply().wait(60).jobs["count"]
    assert alone.processes == ("0",)
    assert [line.text for line in alone.logs(rank=0)] == ["out"]
    (here / "role.py").write_text("import sys\nprint(sys.argv[1])\n")
    text = spec("true").replace("{r: azureFile:r}", "{r: azureFile:r, code: 'file:.'}")
    tensorflow = "tensorFlow: {script: '${mounts.code}/role.py', masterArgs: one}"
    text = text.replace('custom: {command: "true"}', tensorflow).replace("count:", "tf:")
    job = bai.loads(text).apply().wait(60).jobs["tf"]
    assert job.processes == ("wk-0",)
    assert [line.text for line in job.logs(rank="wk-0")] == ["one"]
    with pytest.raises(NotFoundError, match="has no process 0: it has only wk-0"):
        job.logs(rank=0)


def test_a_cancelled_job_is_shown_as_such(here):
    job = bai.loads(spec("sleep 600")).apply().jobs["count"]
    job.cancel()
    assert repr(job.wait(60)) == "<Job count: cancelled, attempt 1>"
    # Batch AI has no state of that name.
    assert (job.state, job.outcome) == (ExecutionState.FAILED, "cancelled")
    assert bai.job("count", attempt=1).outcome == "cancelled"


def test_what_is_wrong_is_raised_with_all_findings(here):
    experiment = bai.loads(spec("true").replace("nodeCount: 1", "nodeCount: none"))
    with pytest.raises(FindingsError) as caught:
        experiment.apply()
    assert [finding.code for finding in caught.value.findings] == ["BAI203"]
    assert not (here / ".bai").exists()


def test_a_file_that_is_not_there_is_reported_at_once(here):
    (here / "train.yaml").write_text(spec("true"))
    with pytest.raises(FileNotFoundError) as caught:
        bai.load("train.yaml", "trian.yaml")
    assert str(caught.value) == f"there is no file trian.yaml in {here} (did you mean train.yaml?)"
    assert isinstance(caught.value, bai.NotFoundError)
    with pytest.raises(bai.MissingFileError, match=r"^there is no file nowhere/e\.yaml in \S+$"):
        bai.load("nowhere/e.yaml")


def test_a_folder_in_storage_needs_a_word_that_python_knows(here):
    storage = bai.connect().storage
    (here / "data").mkdir()
    with pytest.raises(bai.StorageError) as caught:
        storage.copy("data", "azureFile:share")
    assert str(caught.value) == "data is a folder: recursive=True copies all of it"


def test_waiting_has_an_end(here):
    job = bai.loads(spec("sleep 600")).apply().jobs["count"]
    with pytest.raises(TimeoutError, match="the job count is"):
        job.wait(0)
    with pytest.raises(bai.RuntimeFailure, match="the job count is"):
        job.wait(0)
    job.cancel()
    assert job.wait(60).errors[0].code == "JobTerminated"
    assert job.exit_code is None


def test_names_are_found_lazily():
    assert set(bai.__all__) <= set(dir(bai))
    assert all(getattr(bai, name) for name in bai.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = bai.nothing


def test_what_a_user_must_catch_is_at_the_top(here):
    raised = [name for name in bai.__all__ if name.endswith("Error")]
    assert all(issubclass(getattr(bai, name), Exception) for name in raised)
    # All that can go wrong at run time is a failure of one family.
    families = (bai.RuntimeFailure, bai.FindingsError)
    assert all(issubclass(getattr(bai, name), families) for name in raised)
    with pytest.raises(bai.FindingsError):
        bai.loads("a: 1").apply()
    with pytest.raises(bai.NotFoundError):
        bai.job("nothing")
    with pytest.raises(bai.ContextError):
        bai.connect("nowhere")
    assert issubclass(bai.ConsentError, bai.ConflictError)


def test_an_old_attempt_is_not_cancelled_with_a_new_one(here):
    experiment = bai.loads(spec("true"))
    first = experiment.apply().wait(60).jobs["count"]
    second = bai.loads(spec("sleep 600")).apply(rerun=True).jobs["count"]
    first.cancel()
    assert not [event for event in second.events() if event.message == "cancel requested"]
    second.cancel()
    assert second.wait(60).errors[0].code == "JobTerminated"
    assert first.state is ExecutionState.SUCCEEDED


def test_a_changed_job_is_run_again_on_the_user_s_word(here):
    bai.loads(spec("true")).apply().wait(60)
    changed = bai.loads(spec("echo changed"))
    with pytest.raises(bai.ConsentError, match=r"rerun=True or rerun=\['count'\]") as caught:
        changed.apply()
    # What only the command line has is no help here.
    assert "--" not in str(caught.value)
    with pytest.raises(NotFoundError, match="no job 'cuont'"):
        changed.apply(rerun=["cuont"])
    assert changed.apply(rerun="count").jobs["count"].wait(60).attempt.number == 2
    # A plan knows what it was asked for.
    newer = bai.loads(spec("echo newer"))
    assert newer.apply(newer.diff(rerun=["count"])).jobs["count"].wait(60).attempt.number == 3
    both = bai.loads(spec("echo 1") + "---" + spec("echo 2").replace("notebook", "other"))
    with pytest.raises(NotFoundError, match="say which of notebook/count, other/count"):
        both.diff(rerun=["count"])
    assert not both.diff(rerun=["notebook/count"]).unasked


def test_jobs_of_one_name_in_two_experiments_are_distinguished(here):
    text = spec("true") + "---" + spec("true").replace("notebook", "other")
    jobs = bai.loads(text).apply().wait(60).jobs
    assert sorted(jobs) == ["notebook/count", "other/count"]
    assert jobs["other/count"].id.experiment == "other"
    with pytest.raises(NotFoundError, match="say which of notebook/count, other/count"):
        bai.job("job/count")
    assert bai.job("other/count").id == jobs["other/count"].id
    assert jobs["other/count"].label == "job/other/count"
    assert repr(jobs["other/count"]) == "<Job other/count: succeeded, exit code 0, attempt 1>"


def test_several_files_are_one_experiment(here):
    (here / "a.yaml").write_text(spec("true"))
    (here / "b.yaml").write_text(spec("true").replace("count:", "again:"))
    both = bai.load("a.yaml", "b.yaml")
    result = both.apply().wait(60)
    assert sorted(result.jobs) == ["again", "count"]
    words = [step.word for step in result.applied]
    assert words == ["created"] * 5
    session = both.open()
    ours = bai.load("a.yaml").living(session)
    assert [id.label for id in ours] == ["job/count"]
    assert [id.label for id in both.living(session)] == [
        "job/again",
        "job/count",
        "experiment/notebook",
        "cluster/c",
    ]


def test_two_forms_of_one_resource_are_refused(here):
    (here / "a.yaml").write_text(spec("true"))
    (here / "b.yaml").write_text(spec("false"))
    [finding] = bai.load("a.yaml", "b.yaml").lint()
    assert finding.code == "BAI410"
    assert (finding.span.file, finding.span.line) == ("b.yaml", 8)
    assert "a.yaml:8:5" in finding.message
    assert bai.load("a.yaml", "a.yaml").lint() == ()


def test_what_a_notebook_shows(here):
    (here / "e.yaml").write_text(spec("true"))
    experiment = bai.load("e.yaml")
    assert repr(experiment) == "<Experiment notebook in context local>"
    plan = experiment.diff()
    assert repr(plan) == "<Plan: 4 to create>"
    assert str(plan).splitlines()[-2:] == ["create job/count", "4 to create"]
    result = experiment.apply(plan).wait(60)
    assert repr(result).splitlines()[-2:] == [
        "job/count created",
        "<Job count: succeeded, exit code 0, attempt 1>",
    ]
    changed = bai.loads(spec("false")).diff()
    assert "custom.command: 'true' -> 'false'" in str(changed)
    broken = bai.loads(spec("true").replace("nodeCount", "nodeCuont"))
    assert repr(broken) == "<Experiment notebook in context local, 1 finding>"


def test_batch_ai_files_become_a_spec(here):
    job = {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "x",
        "customToolkitSettings": {"commandLine": "ls"},
    }
    (here / "job.json").write_text(json.dumps({"properties": job}))
    result = bai.import_("job.json")
    assert result.findings == ()
    assert "command: ls" in result.text
    (here / "bad.json").write_text("{")
    assert {finding.span.file for finding in bai.import_("bad.json").findings} == {"bad.json"}


def test_a_job_that_is_deleted_is_reported_as_that(here):
    job = bai.loads(spec("true")).apply().jobs["count"].wait()
    bai.connect().provider.delete(job.id)
    with pytest.raises(NotFoundError, match="job/count was deleted"):
        _ = job.state


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda _: bai.load(None), TypeError, "a path must be .*, not NoneType$"),
        (lambda _: bai.load(1), TypeError, "a path must be .*, not int$"),
        (lambda _: bai.load(b"e.yaml"), TypeError, "a path must be .*, not bytes$"),
        (
            lambda _: bai.load(["a.yaml"]),
            TypeError,
            r"not list \(give several as bai.load\(\*paths",
        ),
        (lambda _: bai.load(spec("true")), bai.MissingFileError, "bai.loads takes the text"),
        (lambda _: bai.loads(None), TypeError, "text must be a str, not NoneType"),
        (lambda _: bai.loads("", context=3), TypeError, "context must be the name .*, not int"),
        (lambda _: bai.connect(3), TypeError, "context must be the name .*, not int"),
        (lambda _: bai.Session("local"), TypeError, "must be a Context, not str .bai.connect"),
        (lambda _: bai.import_(), TypeError, "nothing to import"),
        (lambda _: bai.import_(None), TypeError, "a path must be .*, not NoneType$"),
        (lambda _: bai.import_("job.json", names={}), TypeError, "names must be an ImportNames"),
        (lambda _: bai.Limits(0), ValueError, "max_nodes must be at least 1, not 0"),
        (
            lambda _: bai.Limits(with_preparation=True),
            ValueError,
            "with_preparation changes nothing",
        ),
        (
            lambda _: bai.Limits(None, "2"),
            TypeError,
            "max_processes must be an int or None, not str",
        ),
        (lambda _: bai.job(None), TypeError, "a job's name must be a str, not NoneType"),
        (lambda _: bai.connect().find("jbos", "count"), ValueError, "did you mean jobs"),
        (lambda _: bai.connect().resources(None), TypeError, "kind must be .*, not NoneType"),
        (lambda _: bai.connect().handle("count"), TypeError, "Session.job finds a job"),
        (lambda e: e.compile(2), TypeError, "limits must be a bai.Limits, not int"),
        (lambda e: e.diff(limits={}), TypeError, "limits must be a bai.Limits, not dict"),
        (lambda e: e.diff(session="local"), TypeError, "session must be .*, not str"),
        (lambda e: e.diff(rerun=None), TypeError, "rerun must be True, False, .*, not NoneType"),
        (lambda e: e.diff(rerun=[1]), TypeError, "must be a str, not int"),
        (lambda e: e.apply("count"), TypeError, "plan must be what diff returns, not str"),
        (lambda e: e.apply(e.diff(), limits=bai.Limits(1)), ValueError, "give them to diff"),
    ],
)
def test_wrong_arguments_are_reported_at_the_door(here, call, error, message):
    with pytest.raises(error, match=message):
        call(bai.loads(spec("true")))
    assert not (here / ".bai/jobs").exists()


def test_kinds_have_the_names_that_commands_take(here):
    job = bai.loads(spec("true")).apply().wait("1m").jobs["count"]
    session = bai.connect()
    assert session.find("job", "count").id == job.id
    assert [live.id.name for live in session.resources("clusters")] == ["c"]


def test_a_plan_is_not_asked_for_what_it_was_not_made_with(here):
    bai.loads(spec("true")).apply().wait(60)
    changed = bai.loads(spec("echo changed"))
    plan = changed.diff()
    with pytest.raises(ValueError, match=r"give rerun=\['count'\] to diff"):
        changed.apply(plan, rerun=["count"])
    plan = changed.diff(rerun=["count"])
    assert changed.apply(plan, rerun=["count"]).wait(60).jobs["count"].attempt.number == 2


def test_only_a_stream_that_there_is_can_be_read(here):
    job = bai.loads(spec("echo out; echo err >&2")).apply().wait(60).jobs["count"]
    assert [line.text for line in job.logs(stream="stderr")] == ["err"]
    with pytest.raises(ValueError, match=r"stream can't be 'sdtout' \(did you mean stdout\?\)"):
        job.logs(stream="sdtout")
    for wrong in ("foo", 1):
        with pytest.raises(ValueError, match="valid here: stdout, stderr"):
            job.log_reader(stream=wrong)
    with pytest.raises(TypeError, match=r"attempt must be the number .*, not str"):
        bai.job("count", "1")
    with pytest.raises(TypeError, match="after must be"):
        job.events("x")


def test_a_timeout_is_a_number_or_a_length_of_time(here):
    job = bai.loads(spec("sleep 600")).apply().jobs["count"]
    job.wait_started("1m")
    for none in (0, 0.0, "0", "0s"):
        with pytest.raises(TimeoutError, match="after 0s"):
            job.wait(none)
    for wrong in ("soon", -1, "-1", float("nan"), True, [60]):
        for wait in (job.wait, job.wait_started):
            with pytest.raises(
                ValueError, match=r"timeout is no length of time: .* \(expected 600"
            ):
                wait(wrong)
    job.cancel()
    assert job.wait("1h30m").state is ExecutionState.FAILED


class HeardError(Exception):
    """Ends a wait of which something was reported."""


@pytest.fixture
def stopped(here, monkeypatch):
    """A running job whose supervisor is stopped, where nobody waits long for that to be noticed."""
    monkeypatch.setattr(poll_interval, "SILENT_SECONDS", 0.0)
    monkeypatch.setattr(poll_interval, "LOOK_SECONDS", 0.0)
    job = bai.loads(spec("echo begun; sleep 600")).apply().jobs["count"]
    assert next(job.logs(follow=True)).text == "begun"
    supervisor = int(job.attempt.handle)
    os.kill(supervisor, signal.SIGSTOP)
    yield job
    os.kill(supervisor, signal.SIGCONT)
    job.report = None
    job.cancel()
    job.wait(60)


def hear(sentence):
    raise HeardError(sentence)


def test_a_stopped_supervisor_is_not_waited_for_without_a_word(stopped):
    stopped.report = hear
    for wait in (
        stopped.wait,
        lambda: list(stopped.logs(follow=True)),
        lambda: list(stopped.log_text(follow=True)),
        lambda: list(stopped.metrics(follow=True)),
    ):
        with pytest.raises(HeardError, match="job/count: no sign of its supervisor for 0 s"):
            wait()


def test_who_follows_a_job_with_a_stopped_supervisor_sees_it(stopped):
    class Shown(io.StringIO):
        def write(self, text):
            super().write(text)
            if "no sign of its supervisor" in text:
                raise HeardError(text)

    with pytest.raises(HeardError):
        follow({"count": stopped}, Shown())


def test_what_is_only_read_is_not_written(here, monkeypatch):
    experiment = bai.loads(spec(REPORT))
    job = experiment.apply().wait(60).jobs["count"]
    bai.connect().provider.keep()

    def refuse(_):
        raise AssertionError("a transaction that writes")

    monkeypatch.setattr(Database, "transaction", refuse)
    monkeypatch.setattr(Keeper, "step", refuse)
    session = bai.connect()
    again = session.job("count")
    assert (again.state, again.outcome, again.exit_code) == (job.state, "succeeded", 0)
    assert (again.errors, again.waiting, again.processes) == ((), None, ("0",))
    assert [line.text for line in again.logs(stream="stderr")] == ["oops"]
    assert again.final_metrics() == {"loss": 0.3}
    assert [event.message for event in again.events()][-1] == "succeeded"
    assert again.outputs["O"].read("file") == b"x\n"
    assert [live.id.name for live in session.iterate("jobs")] == ["count"]
    assert list(session.labels("jobs")) == ["job/count"]
    assert [live.id.name for live in session.resources("clusters")] == ["c"]
    found = to_live_wire(session.find("job", "count"), session.provider)
    assert found["properties"]["executionState"] == "succeeded"
    assert len(session.nodes("c")) == 1
    assert experiment.diff().pending == ()
