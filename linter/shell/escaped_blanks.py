r"""Backslashes that should join lines, and escape a blank instead.

YAML joins the lines of a folded scalar, so that `\` at their ends then stands before a blank; and a
blank behind a `\` at the end of a line is invisible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
