"""What is wrong in a command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class ShellIssue(NamedTuple):
    """One issue: the half-open range of characters that it covers, and its message."""

    kind: str
    """`install-asks`, `pipe-hides-failure`, `unquoted-variable`, `unreadable`, ..."""
    start: int
    end: int
    message: str
    hint: str
    edits: Sequence[tuple[int, int, str]] = ()
    """(start, end, new text) of the changes that fix it, if they change nothing else."""
