"""`#` that begins a comment where a value was meant: `--tag #5`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bai.linter.shell.shell_issue import ShellIssue

_OPTION: Final = re.compile(r"(?:^|\s)--?[A-Za-z][\w-]*\s*$")
_NUMBER: Final = re.compile(r"#(?:\d+|[0-9a-fA-F]{6})$")
_GOES_ON: Final = re.compile(r"\s*(?:--?[A-Za-z]|&&|\|\||[|;>])")
"""More of a command line."""
_BEFORE: Final = 100
"""How many characters before a comment are looked at."""


def unmeant_comments(text: str, comments: Sequence[tuple[int, int]]) -> Iterator[ShellIssue]:
    """Yield the comments of a command line that are surely meant as a part of a command.

    Args:
        text: the command line.
        comments: the half-open ranges of its comments.
    """
    for start, end in comments:
        comment = text[start:end]
        if is_meant(text[max(0, start - _BEFORE) : start].rpartition("\n")[2], comment):
            word = comment.split()[0]
            message = f"for the shell a comment begins at {word}"
            yield ShellIssue("swallowed", start, start + len(word), message, "put it in quotes")


def is_meant(before: str, comment: str) -> bool:
    """Return whether a comment is surely meant as a part of a command or of arguments.

    Args:
        before: what stands before it in the same line, or its end.
        comment: the comment, from its `#` to the end of the line.
    """
    word, _, rest = comment.strip().partition(" ")
    if len(word) < 2 or not word[1].isalnum() or _OPTION.search(before) is None:
        return False
    if not rest:
        return _NUMBER.match(word) is not None
    return _GOES_ON.match(rest) is not None
