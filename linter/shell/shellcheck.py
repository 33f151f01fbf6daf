"""ShellCheck for command lines: its arguments, and its output.

Command lines differ from scripts: no first line names the shell, variables come from the job, and
files that they read are elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.words import BATCH_FOLDER

EXCLUDED = {
    1010: "`echo done` is meant; loops without their `done` are what bash refuses",
    1110: "`pasted_text` reports quotes of word processors, and only where they hurt",
    1111: "the same, within double quotes",
    1112: "the same, within single quotes",
    1090: "files that a command sources are on the node",
    1091: "files that a command sources are on the node",
    2034: "programs that a command starts use its variables; loops may count without a use",
    2046: "split on purpose more often than not: pip install $(cat list)",
    2064: "what a trap names, Batch AI's variables for example, is set before and stays",
    2086: "`find_issues` reports unquoted variables, and only where a space hurts",
    2154: "variables come from the job's environment and from Batch AI",
    2155: "export X=$(...) is how variables are set on one line",
}
"""Checks that are left out, and why."""

ARGUMENTS = (
    "--shell=bash",
    "--format=json1",
    "--severity=warning",
    "--norc",
    "--exclude=" + ",".join(f"SC{code}" for code in EXCLUDED),
)
"""How to call ShellCheck (0.7 or newer), before the names of the files."""

_SAME = {
    1035: "pasted-text",
    1101: "escaped-blank",
    2115: "unquoted-variable",
    2164: "cd-unchecked",
    2210: "misread-requirement",
}
"""Check -> the kind of `ShellIssue` that reports the same."""

_BATCH_FOLDER = re.compile(rf'cd\s+(?:{BATCH_FOLDER}|"{BATCH_FOLDER}")')


_PART = r"(?:[-\w./:=,@+]|\$(?:\{AZ_BATCHAI_\w+\}|AZ_BATCHAI_\w+))"
_PLAIN = re.compile(rf'(?:python|pip|bash|sh)[23]?(?: +(?:{_PART}|"{_PART}+")+)*')
"""One of the programs that most commands start, with plain words behind it."""


def is_plain(command: str) -> bool:
    """Return whether a command is so plain that ShellCheck, with these arguments, finds nothing."""
    return _PLAIN.fullmatch(command) is not None


class ShellCheckIssue(NamedTuple):
    """One violation of ShellCheck about a command: the half-open range of characters it covers."""

    start: int
    end: int
    code: str
    """`SC2164`, for one."""
    level: str
    """`error` or `warning`."""
    message: str


def file_name(index: int) -> str:
    """Return the name of the file that holds a command, for ShellCheck."""
    return f"{index}.sh"


def issues(output: str, commands: Sequence[str]) -> list[list[ShellCheckIssue]]:
    """Return ShellCheck's issues of each command, in order of place.

    Raises:
        ValueError: the output is not of the form json1.
    """
    found: list[list[ShellCheckIssue]] = [[] for _ in commands]
    try:
        for comment in json.loads(output)["comments"]:
            index = int(comment["file"].partition(".")[0])
            one = _issue(comment, commands[index])
            # To a folder of Batch AI's, cd can't fail.
            place = (commands[index], one.start, one.end)
            if not (one.code == "SC2164" and _BATCH_FOLDER.fullmatch(*place)):
                found[index].append(one)
    except (AttributeError, IndexError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"not ShellCheck's json1: {error!r}") from error
    for of_one in found:
        of_one.sort()
    return found


def without_duplicates(
    found: Iterable[ShellCheckIssue], known: Sequence[ShellIssue]
) -> list[ShellCheckIssue]:
    """Return the issues that no known one at the same place already reports."""
    # One syntax error gives several issues of ShellCheck, in several places.
    kinds = {issue.kind for issue in known}
    unreadable = not kinds.isdisjoint(("unreadable", "open-heredoc"))
    return [
        one
        for one in found
        if not (unreadable and len(one.code) == 6 and one.code.startswith("SC1"))
        # Of lines that a backslash does not join, the second one is no command.
        and not (one.code == "SC2215" and "escaped-blank" in kinds)
        and not any(
            _SAME.get(int(one.code[2:])) == issue.kind
            and one.start < issue.end
            and issue.start < max(one.end, one.start + 1)
            for issue in known
        )
    ]


def _issue(comment: dict[str, object], command: str) -> ShellCheckIssue:
    starts = [0, *accumulate(len(line) + 1 for line in command.split("\n"))]

    def offset(line: object, column: object) -> int:
        if not isinstance(line, int) or not isinstance(column, int) or line < 1:
            raise TypeError("a place is a line and a column")
        return max(0, min(starts[line - 1] + column - 1, len(command)))

    start = offset(comment["line"], comment["column"])
    end = offset(comment["endLine"], comment["endColumn"])
    code, level, message = f"SC{comment['code']:d}", str(comment["level"]), str(comment["message"])
    return ShellCheckIssue(start, max(start, end), code, level, message)
