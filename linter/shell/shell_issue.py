"""What is wrong in a command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class ShellIssue(NamedTuple):
    """One mistake: the half-open range of characters that it covers, and words for a person."""

    kind: str
    """`install-asks`, `pipe-hides-failure`, `unquoted-variable`, `unreadable`, ..."""
    start: int
    end: int
    message: str
    hint: str
    edits: Sequence[tuple[int, int, str]] = ()
    """What to put in place of which ranges, if that mends it and changes nothing else."""
