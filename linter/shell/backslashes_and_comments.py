r"""Backslashes that escape a blank instead of joining lines, and `#` where a value was meant.

YAML joins the lines of a folded scalar, so that `\` at their ends then stands before a blank; and a
blank behind a `\` at the end of a line is invisible. `#` begins a comment: `--tag #5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.words import Word

FOLDED = "folded-blank"
"""The kind of issues that are wrong only if a line of the source ends behind the backslash."""
_LINE_END = re.compile(r"[ \t]*(?=\n)")
_SEEKERS = frozenset({"echo", "printf", "grep", "egrep", "sed", "awk", "cut", "tr"})
"""What may be given words that begin with a blank."""


def escaped_blanks(text: str, words: Sequence[Word], name: str = "") -> Iterator[ShellIssue]:
    """Yield the words of a command that begin with an escaped blank.

    Args:
        text: what the command stands in.
        words: the words that are looked at.
        name: the program that gets them.
    """
    for word in words:
        start = word.start
        if text[start] != "\\" or text[start + 1 : start + 2] not in (" ", "\t"):
            continue
        end = start + 2
        if (behind := _LINE_END.match(text, end)) is not None:
            line_end = behind.end()
            message = "behind this backslash stands a blank, so that it does not join the lines"
            hint = "leave out what stands behind the backslash"
            edit = (start + 1, line_end, "")
            yield ShellIssue("escaped-blank", start, line_end, message, hint, [edit])
            continue
        message = r"`\ ` is a blank in an argument, and joins no lines"
        if word.end > end and not text[end].isspace():
            shown = word.value if len(word.value) < 30 else f"{word.value[:27]}..."
            message = f"`\\ ` makes a blank a part of the argument {shown!r}, and joins no lines"
        is_sure = text.startswith("-", end) and name not in _SEEKERS
        kind = "escaped-blank" if is_sure else FOLDED
        hint = "leave the backslash out: here the lines are joined without it"
        yield ShellIssue(kind, start, start + 1, message, hint, [(start, end, "")])


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
