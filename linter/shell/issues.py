"""Find issues in shell command lines.

Only what goes wrong silently counts: installs that wait for an answer, failures that a pipe hides,
arguments that fall into several at a space, deletions in the wrong folder; and syntax errors. A
prefilter judges by its characters whether a command line may have issues.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from bai.linter.cache import cached

if TYPE_CHECKING:
    from bai.linter.shell.shell_issue import ShellIssue

MAX_LENGTH = 100_000
"""Longer texts, in characters, are not looked at."""

_COMPARISONS = ("<", ">", "=", ",")
"""What requirements have that pip gets otherwise than meant."""


@cached
def may_have_issues(text: str) -> bool:
    """Return whether `find_issues` may find any: most command lines are simple."""
    return (
        "|" in text
        or (("pip" in text or "conda" in text) and _may_misuse(text))
        or "apt" in text
        or "<<" in text
        or " #" in text
        or "yum" in text
        or "dnf" in text
        or "uninstall" in text
        or (("install" in text or "conda" in text) and any(mark in text for mark in _COMPARISONS))
        or ("\\" in text and ("\\ " in text or "\\\t" in text))
        or ("rm" in text and "cd" in text)
        or ("$" in text and text.count("$") > text.count("$AZ_BATCH") + text.count("${AZ_BATCH"))
        or ("read" in text and " -p" in text)
        or (
            (";" in text or "\n" in text) and ("echo" in text or "printf" in text or "date" in text)
        )
        or _may_be_unreadable(text)
    )


_USUAL: Final = frozenset(
    "install uninstall list freeze show config create update env activate -m && ; --version".split()  # noqa: SIM905
)
"""What mostly stands behind `pip` or `conda`."""
_OF_FILES: Final = frozenset(
    {"-r", "-c", "--requirement", "--constraint", "--file", "tee", "cat", ">", ">>"}
)


def _may_misuse(text: str) -> bool:
    """Return whether pip or conda may be called with a misspelt word, or a file without -r."""
    words = text.split()
    for word, following in pairwise(words):
        if word.endswith(("pip", "pip3", "conda")) and following not in _USUAL:
            return True
        if following.endswith((".txt", ".txt'", '.txt"')) and word not in _OF_FILES:
            return True
    return False


def _may_be_unreadable(text: str) -> bool:
    """Return whether the shell may refuse to read a text without `|`, by its characters."""
    if "'" in text or '"' in text or "`" in text:
        quotes = [mark for mark in "'\"`" if mark in text]
        is_nested = len(quotes) > 1 or "\\" in text or "sh " in text
        if is_nested or text.count(quotes[0]) % 2:
            return True
    if text.count("(") != text.count(")") or text.count("${") > text.count("}"):
        return True
    if "&" in text or ";" in text:
        # Something must stand before each `;` and `&`, in its line, and behind each `&&`.
        parts = text.replace("&", ";").replace(";;", ";").split(";")
        if any(not part.rpartition("\n")[2].strip() for part in parts[:-1]):
            return True
        if "&&" in text and not parts[-1].strip():
            return True
    if text.rstrip().endswith(">"):
        return True
    # Blocks begin and end so.
    return any(word in text for word in ("if ", "for ", "while ", "until ", "{ ", "done", "; fi"))


def find_issues(text: str, spaceless: Collection[str] = ()) -> list[ShellIssue]:
    """Return the issues in a command line for bash, in order of place.

    `spaceless` names variables that never hold spaces, beside Batch AI's and the shell's own.
    """
    if not may_have_issues(text) or len(text) > MAX_LENGTH:
        return []
    from bai.linter.shell.checker import Checker

    found = Checker(text, spaceless).run()
    found.sort(key=lambda issue: issue.start)
    return found
