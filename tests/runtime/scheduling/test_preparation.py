"""What follows from the end of a setup task, or of the process that runs it."""

import pytest

from bai.runtime.jobs.records import JobError
from bai.runtime.scheduling.preparation import RUNS, Step, TaskReport, TaskState, judge

ERROR = JobError("SetupTaskFailed", "The setup task failed with exit code 3")


@pytest.mark.parametrize(
    ("state", "run", "step"),
    [
        (TaskState.NOT_STARTED, 0, Step.RUN),
        (TaskState.NOT_STARTED, 1, Step.RUN),
        (TaskState.ALIVE, 1, Step.WAIT),
        (TaskState.READY, 1, Step.USE),
        (TaskState.LOST, 1, Step.RUN),
        (TaskState.LOST, RUNS - 1, Step.RUN),
        (TaskState.LOST, RUNS, Step.GIVE_UP),
        # One that says nothing may only be slow.
        (TaskState.NOT_STARTED, 10 * RUNS, Step.RUN),
    ],
)
def test_what_is_done(state, run, step):
    assert judge(TaskReport(state), run, may_run=True).step is step


def test_a_failure_keeps_its_reason():
    verdict = judge(TaskReport(TaskState.FAILED, (ERROR,)), 1, may_run=True)
    assert (verdict.step, verdict.errors) == (Step.GIVE_UP, (ERROR,))


def test_a_task_that_can_not_start_says_why():
    report = TaskReport(TaskState.NOT_STARTED, message="no libpython here")
    assert judge(report, RUNS - 1, may_run=True).step is Step.RUN
    (error,) = judge(report, RUNS, may_run=True).errors
    assert error.message == "The setup task does not start: no libpython here"


def test_where_tasks_do_not_run_any_more_nodes_are_ready():
    states = {state: judge(TaskReport(state), 1, may_run=False).step for state in TaskState}
    assert states == {
        TaskState.ALIVE: Step.WAIT,
        TaskState.READY: Step.USE,
        TaskState.FAILED: Step.GIVE_UP,
        TaskState.NOT_STARTED: Step.USE,
        TaskState.LOST: Step.USE,
    }
