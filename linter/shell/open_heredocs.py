"""Here-documents that nothing ends."""

from __future__ import annotations

from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.words import Heredoc


def open_heredoc(text: str, heredoc: Heredoc) -> ShellIssue:
    """Return what is wrong with a here-document of `text` that nothing ends."""
    opening = f"{heredoc.operator}{heredoc.delimiter}"
    lines = text[heredoc.start :].split("\n")
    end = next((line for line in lines[1:] if line.strip() == heredoc.delimiter), None)
    hint = f"write {heredoc.delimiter} alone in the line behind the text"
    if len(lines) == 1:
        message = f"the text of {opening} begins in the next line, and there is none"
        hint = "write the command as a block below |, which keeps its lines"
    elif end is not None:
        message = f"{opening} does not end at {end!r}, but at {heredoc.delimiter!r} alone"
        hint = f"leave out what stands around {heredoc.delimiter} in its line"
    else:
        message = f"{opening} has no line {heredoc.delimiter}: all that follows is its text"
    return ShellIssue("open-heredoc", heredoc.start, heredoc.end, message, hint)
