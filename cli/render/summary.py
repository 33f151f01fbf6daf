"""How jobs stand, and how they ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Final

from bai.cli.render.screen import format_line
from bai.cli.render.style import Style
from bai.cli.render.table import STATE_COLOURS, age
from bai.directory import Directory
from bai.handle import JobHandle
from bai.log_lines import LogLine
from bai.runtime.errors import NotFoundError, StorageError
from bai.runtime.jobs.records import Attempt, ExecutionState
from bai.specs.words import duration

_LAST_LINES: Final = 8
"""How many lines of a process that failed are shown again."""


def standing(job: JobHandle, name: str, *, followed: bool) -> str:
    """Return how a job stands that `apply` left alone, and what can be done about it.

    Args:
        job: its newest attempt.
        name: the job's, as commands take it.
        followed: whether it will be followed if it runs; otherwise the text names `bai logs -f`.
    """
    attempt = job.attempt
    if not attempt.state.ended:
        since = age(attempt.started or attempt.created)
        since = f"{since}, {waiting}" if (waiting := job.waiting) else since
        hint = "" if followed else f"; follow it with `bai logs -f {name}`"
        return f"{attempt.outcome} for {since}{hint}"
    return f"{ended_since(attempt)}; --rerun starts a new attempt"


def ended_since(attempt: Attempt) -> str:
    """Return how an attempt ended, and when: `failed 3m ago, exit code 1`."""
    succeeded = attempt.state is ExecutionState.SUCCEEDED
    code = "" if succeeded or attempt.exit_code is None else f", exit code {attempt.exit_code}"
    return f"{attempt.outcome} {age(attempt.ended or attempt.created)} ago{code}"


def end_of(job: JobHandle) -> str:
    """Return how a job stands in a line: its label, state and exit code."""
    attempt = job.attempt
    code = "" if attempt.exit_code is None else f", exit code {attempt.exit_code}"
    return f"{job.label} {attempt.outcome}{code}"


def print_errors(attempt: Attempt, out: IO[str]) -> None:
    """Write why an attempt failed, a line for each reason; nothing if it did not."""
    style = Style(out)
    for error in attempt.errors:
        out.write(f"  {style(error.code, 'red')}: {error.message}\n")


def print_last_lines(
    job: JobHandle, name: str, out: IO[str], is_in_sight: Callable[[LogLine], bool] | None = None
) -> bool:
    """Write the last lines of the process that made an attempt fail, and what shows all of them.

    Args:
        job: the attempt.
        name: the job's, as commands take it.
        out: where to write.
        is_in_sight: whether a line stands shortly above already; None if nothing does. The last
            lines are not repeated if all do.

    Returns:
        Whether there are any.
    """
    if not (lines := job.last_lines(_LAST_LINES)):
        return False
    command, culprit, number = f"bai logs {name}", job.culprit, job.attempt.number
    whose = f"the last lines of {culprit}"
    if culprit in job.processes:
        command += f" --rank {culprit}" if job.processes[1:] else ""
        whose = "its last lines"
    if number != job.provider.attempts(job.id)[-1].number:
        command += f" --attempt {number}"
    if is_in_sight and all(map(is_in_sight, lines)):
        _write_row("logs", f"{command}; {whose} are above", out)
        return True
    _write_row("logs", f"{command}; {whose}:", out)
    style = Style(out)
    out.writelines(f"    {format_line(line, style, ranks=False)}\n" for line in lines)
    return True


def print_summary(
    job: JobHandle,
    name: str,
    out: IO[str],
    *,
    places: bool = False,
    is_in_sight: Callable[[LogLine], bool] | None = None,
) -> None:
    """Write the state of an attempt, its errors, and how to get its logs and outputs.

    Args:
        job: the attempt.
        name: the job's, as commands take it.
        out: where to write.
        places: whether to write where logs and outputs are, also if there is nothing yet.
        is_in_sight: as for `print_last_lines`.
    """
    style, attempt = Style(out), job.attempt
    state = style(attempt.outcome, STATE_COLOURS[attempt.outcome], "bold")
    took = ""
    if not attempt.state.ended:
        took = f" for {age(attempt.started or attempt.created)}"
    elif attempt.started and attempt.ended:
        took = f" in {duration((attempt.ended - attempt.started).total_seconds())}"
    code = "" if attempt.exit_code is None else f", exit code {attempt.exit_code}"
    out.write(f"job/{name} {state}{took}{code}\n")
    if waiting := job.waiting:
        out.write(f"  {waiting}\n")
    print_errors(attempt, out)
    try:
        outputs = job.outputs
        if values := job.final_metrics():
            shown = "  ".join(f"{name} {value:.4g}" for name, value in values.items())
            _write_row("metrics", shown, out)
        for id, found in outputs.items():
            if places:
                _write_row(id.lower(), found.address, out)
            elif place := _place(found, f"bai storage cp -r job:{name}/{id} ."):
                _write_row(id.lower(), place, out)
        if places:
            _write_row("logs", job.log_files.address, out)
        if not print_last_lines(job, name, out, is_in_sight) and not places:
            _write_row("logs", f"bai logs {name}", out)
    except NotFoundError as error:
        out.write(f"  {error}\n")


def _place(output: Directory, command: str) -> str | None:
    """Return how to get what is in an output, by a command or its address; None if it is empty."""
    try:
        is_empty = all(entry.is_directory for entry in output.list(recursive=True))
    except StorageError:
        # A real account, of which this command has no key, or that is out of reach.
        return output.address
    return None if is_empty else command


def _write_row(what: str, text: str, out: IO[str]) -> None:
    out.write(f"  {what:<9} {text}\n")
