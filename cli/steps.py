"""Steps that change something, and are told one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")


def tell(steps: Iterator[T], say: Callable[[T], None]) -> None:
    """Make steps, and say of each that it is made; all of them, whether anybody listens or not.

    Args:
        steps: makes a step each time it is asked for the next one.
        say: writes of a step that was made.

    Raises:
        OSError: what was said can't be written, or nobody reads it. All steps are made.
    """
    try:
        for step in steps:
            say(step)
    except OSError:
        for _ in steps:
            pass
        raise
