"""The checks of ends, logs and exit codes see what they are to see."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from chaos import outcomes
from chaos.outcomes import ALL_BEHIND
from chaos.processes import GRANDCHILD, GUARDIAN, RANK, SUPERVISOR
from chaos.samples import OTHER, UUID, command, failed, wrote
from chaos.state import Snapshot
from chaos.world import Hit, InvariantError


def test_a_log_that_lacks_a_line(world, attempt):
    wrote(world, attempt, "a\nb\n", log="a\nb\n")
    outcomes.logs_are_as_written(world, attempt)
    wrote(world, attempt, "a\nb\n", log="a\n")
    with pytest.raises(InvariantError, match="the log has 'a"):
        outcomes.logs_are_as_written(world, attempt)
    # A rank that is killed is between its note and its log.
    world.hits[UUID].append(Hit(105, RANK))
    outcomes.logs_are_as_written(world, attempt)


@pytest.mark.parametrize("role", [GUARDIAN, RANK, GRANDCHILD])
def test_a_log_that_lacks_two_lines_though_its_supervisor_lived(world, attempt, role):
    wrote(world, attempt, "a\nb\nc\n", log="a\n")
    world.hits[UUID].append(Hit(105, role))
    with pytest.raises(InvariantError, match="the log has 'a"):
        outcomes.logs_are_as_written(world, attempt)
    world.hits[UUID].append(Hit(105, SUPERVISOR))
    outcomes.logs_are_as_written(world, attempt)


def test_a_log_with_another_line(world, attempt):
    world.hits[UUID].append(Hit(105, SUPERVISOR))
    wrote(world, attempt, "a\nb\n", log="b\n")
    with pytest.raises(InvariantError, match="the log has 'b"):
        outcomes.logs_are_as_written(world, attempt)


def test_a_log_goes_on_over_runs(world, attempt):
    again = replace(attempt, run=2)
    wrote(world, attempt, "a 1\nb 1\n", "a 2\n", log="a 1\na 2\n")
    outcomes.logs_are_as_written(world, again)
    for log in ("a 2\n", "a 2\na 1\n", "a 1\nb 1\n", "a 1\na 2\na 2\n"):
        wrote(world, attempt, "a 1\nb 1\n", "a 2\n", log=log)
        with pytest.raises(InvariantError, match="the log has"):
            outcomes.logs_are_as_written(world, again)


def test_an_end_that_nothing_explains(world, attempt):
    (world.witness / f"{UUID}.0.1.exit").touch()
    outcomes.ended_as_it_should(world, attempt)
    errors = [
        "JobSupervisorLost",
        "JobTerminated",
        "JobLaunchFailed",
        "JobFailed",
        "JobNodeRemoved",
        "JobNodeLost",
        "JobPreparationFailed",
        "JobLogsFailed",
    ]
    for error in errors:
        with pytest.raises(InvariantError, match=error):
            outcomes.ended_as_it_should(world, failed(attempt, error, exit_code=1))


def test_a_success_whose_last_run_did_not_end(world, attempt):
    (world.witness / f"{UUID}.0.1.exit").touch()
    with pytest.raises(InvariantError, match="killed: nothing"):
        outcomes.ended_as_it_should(world, replace(attempt, run=2))


@pytest.mark.parametrize("role", [SUPERVISOR, ALL_BEHIND])
def test_a_lost_supervisor_is_explained_by_a_kill_in_its_own_run(world, attempt, role):
    lost = failed(attempt, "JobSupervisorLost")
    world.hits[UUID] = [Hit(100.5, role), Hit(105, GUARDIAN)]
    with pytest.raises(InvariantError, match="JobSupervisorLost"):
        outcomes.ended_as_it_should(world, lost)
    world.hits[UUID].append(Hit(102, role))
    outcomes.ended_as_it_should(world, lost)


def test_no_supervisor_gives_up_since_others_were_killed(world, attempt):
    world.hits[UUID] = [Hit(102, role) for role in 3 * [SUPERVISOR, GUARDIAN, ALL_BEHIND, RANK]]
    for _ in range(5):
        command(world, "apply", killed=True)
    with pytest.raises(InvariantError, match="JobLaunchFailed"):
        outcomes.ended_as_it_should(world, failed(attempt, "JobLaunchFailed"))


def test_a_failure_with_another_exit_code_than_the_killed_rank(world, attempt):
    world.hits[UUID].append(Hit(105, RANK))
    outcomes.ended_as_it_should(world, failed(attempt, "JobFailed", exit_code=137))
    with pytest.raises(InvariantError, match="JobFailed"):
        outcomes.ended_as_it_should(world, failed(attempt, "JobFailed", exit_code=143))


@pytest.mark.parametrize("words", [("wait", "j0"), ("logs", "-f", "j0"), ("apply", "--rerun", "x")])
def test_what_only_looks_has_not_asked_a_job_to_end(world, attempt, words):
    command(world, *words)
    with pytest.raises(InvariantError, match="JobTerminated"):
        outcomes.ended_as_it_should(world, failed(attempt, "JobTerminated"))


@pytest.mark.parametrize("word", ["cancel", "delete"])
def test_a_job_is_asked_to_end_while_its_attempt_is_there(world, attempt, word):
    command(world, word, "j0", begin=111, end=112)
    with pytest.raises(InvariantError, match="JobTerminated"):
        outcomes.ended_as_it_should(world, failed(attempt, "JobTerminated"))
    command(world, word, "j0")
    outcomes.ended_as_it_should(world, failed(attempt, "JobTerminated"))


def test_nodes_are_removed_by_a_resize_that_says_so(world, attempt):
    removed = failed(attempt, "JobNodeRemoved")
    command(world, "scale", "c", "--deallocation", "requeue", jobs=())
    with pytest.raises(InvariantError, match="JobNodeRemoved"):
        outcomes.ended_as_it_should(world, removed)
    command(world, "scale", "c", "--deallocation", "terminate", jobs=())
    outcomes.ended_as_it_should(world, removed)


def test_a_run_that_nobody_asked_for(world, attempt):
    again = replace(attempt, run=2)
    command(world, "scale", "c", "--deallocation", "terminate", jobs=())
    with pytest.raises(InvariantError, match="only 0 commands"):
        outcomes.runs_are_asked_for(world, again)
    command(world, "scale", "c", "--deallocation", "requeue", jobs=())
    outcomes.runs_are_asked_for(world, again)


def test_an_older_attempt_is_checked_as_well(world, attempt):
    (world.witness / f"{OTHER}.0.1.exit").touch()
    newest = replace(attempt, uuid=OTHER, age=2)
    outcomes.check(world, Snapshot({OTHER: newest}))
    with pytest.raises(InvariantError, match=UUID):
        outcomes.check(world, Snapshot({UUID: attempt, OTHER: newest}))


def test_exit_codes_follow_the_job(world, attempt):
    seen = Snapshot({UUID: attempt})
    failure = Snapshot({UUID: failed(attempt, "JobFailed")})
    follows = command(world, "wait", "j0", begin=105, end=111)
    outcomes.exit_code_is_right(world, follows, seen)
    with pytest.raises(InvariantError, match=r"exit code 0, expected one of \[1\]"):
        outcomes.exit_code_is_right(world, follows, failure)
    detached = command(world, "apply", "-d", code=1)
    with pytest.raises(InvariantError, match=r"exit code 1, expected one of \[0\]"):
        outcomes.exit_code_is_right(world, detached, failure)
    detached.ended = 111
    outcomes.exit_code_is_right(world, detached, failure)


def test_a_missing_job_is_an_error_only_where_it_may_be_missing(world, attempt):
    seen = Snapshot({UUID: attempt})
    refused = command(world, "cancel", "j0", code=2)
    with pytest.raises(InvariantError, match="exit code 2"):
        outcomes.exit_code_is_right(world, refused, seen)
    refused.existing = frozenset()
    outcomes.exit_code_is_right(world, refused, seen)


def test_a_plan_is_out_of_date_only_if_another_command_changed_something(world, attempt):
    seen = Snapshot({UUID: attempt})
    refused = command(world, "apply", "x.yaml", code=2)
    refused.output.write_text("error: cluster/c changed since the plan was made: run it again\n")
    with pytest.raises(InvariantError, match="exit code 2"):
        outcomes.exit_code_is_right(world, refused, seen)
    command(world, "scale", "c", jobs=())
    outcomes.exit_code_is_right(world, refused, seen)


@pytest.mark.slow
def test_an_exit_code_that_is_not_documented(world):
    world.settings.command = [str(Path(sys.executable).with_name("bai"))]
    world.settings.installed = 1
    command = world.finish(world.start("apply", "-d", "nothing.yaml"))
    with pytest.raises(InvariantError, match=r"exit code 2, expected one of \[0\]"):
        outcomes.exit_code_is_right(world, command, Snapshot({}))
