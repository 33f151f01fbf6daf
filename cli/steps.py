"""Steps that change something, and are reported one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")


def report_steps(
    steps: Iterator[T], say: Callable[[T], None], unwritten: OSError | None = None
) -> None:
    """Make all steps and report each, also where the reports can't be written.

    Args:
        steps: makes a step each time it is asked for the next one.
        say: reports a step that was made.
        unwritten: why what comes before the reports can't be written, so that none can; or None.

    Raises:
        OSError: a report can't be written, or nothing reads it. All steps are made.
    """
    try:
        if unwritten:
            raise unwritten
        for step in steps:
            say(step)
    except OSError:
        for _ in steps:
            pass
        raise
