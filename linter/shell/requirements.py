"""Requirements on command lines, such as `torch>=1.0`, that reach pip otherwise than meant."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from bai.linter.shell.called_programs import BareCommand
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.words import Command, Word

_PIP = re.compile(r"pip[23]?(?:\.\d+)?")
_PYTHON = re.compile(r"python[23]?(?:\.\d+)?")
_CONDAS = frozenset({"conda", "mamba", "micromamba"})
_VERBS = frozenset({"install", "create", "download", "wheel", "update", "upgrade"})
_VERSION = re.compile(r"\d+(?:\.\d+)*")
_COMPARISON = re.compile(r"(?:===?|>=|<=|~=|!=)|=$")
_NAME = re.compile(r"[A-Za-z][\w.-]*(?:\[[\w,-]+\])?", re.ASCII)
_ONE_EQUALS = re.compile(r"([A-Za-z][\w.-]*(?:\[[\w,-]+\])?)=(\d[\w.*]*),?", re.ASCII)
"""A requirement as conda writes it."""
_LISTED = re.compile(r"[A-Za-z][\w.-]*(?:\[[\w,-]+\])?(?:==[\w.]+)?,", re.ASCII)
_FLAGS = frozenset(
    "-U -q --upgrade --quiet --user --no-cache-dir -y --no-deps --pre --force-reinstall".split()  # noqa: SIM905
)
"""Options without a value."""
_DASHES = ("-", "\u2013", "\u2014")
"""How options begin; the long dashes, from documents, are reported by `pasted_text`."""
_SPEC = re.compile(r"[^\s'\"`\\;&|()#]+")
"""A requirement without quotes."""


def misread_requirements(
    text: str, command: Command, called: BareCommand, quote: str
) -> Iterator[ShellIssue]:
    """Yield what is no requirement for pip or conda, or is a redirection for the shell.

    Args:
        text: what the command stands in.
        command: a command.
        called: what it runs in the end.
        quote: the mark that may quote a word there; empty if none may.
    """
    program = _installer(called)
    if program is None:
        return
    for before, word in zip(called.arguments, called.arguments[1:], strict=False):
        if file := _file_as_requirement(program, before, word):
            yield file
    if redirected := _redirected(text, command, quote):
        yield redirected
    elif program == "pip":
        for before, word in zip(called.arguments, called.arguments[1:], strict=False):
            if word.quoted or word.variables or word.substitutes:
                continue
            if before.value.startswith("-") and before.value not in _FLAGS:
                continue  # it may be the value of an option
            if _COMPARISON.match(word.value) and _NAME.fullmatch(before.value):
                yield _torn(text, before, word)
                return
            yield from _malformed(word)


def _installer(called: BareCommand) -> str | None:
    """Return `pip` or `conda` if a command installs with it."""
    name, values = called.name, [word.value for word in called.arguments]
    if _PYTHON.fullmatch(name) and "-m" in values[:-1]:
        at = values.index("-m")
        name, values = values[at + 1], values[at + 2 :]
    if not _VERBS.intersection(values):
        return None
    return "pip" if _PIP.fullmatch(name) else "conda" if name in _CONDAS else None


def _redirected(text: str, command: Command, quote: str) -> ShellIssue | None:
    ends = [word.end for word in command.words]
    for start, operator, target in command.redirections:
        if operator not in {"<", ">"} or target.quoted:
            continue
        before = bisect_right(ends, start)
        if before == 0:
            continue
        name = command.words[before - 1]
        is_glued = name.end == start
        is_version = is_glued and _VERSION.match(target.value) is not None
        if not target.value.startswith("=") and not is_version:
            continue
        if is_glued:
            match = _SPEC.match(text, name.start)
            end = max(match.end() if match else 0, target.end)
            spec = text[name.start : end]
        else:
            end = target.end
            spec = f"{name.value}{operator}{target.value}"
            version = next((word.value for word in command.words if word.start > end), "")
            spec += version if target.value == "=" else ""
        verb = "reads from" if operator == "<" else "writes to"
        message = f"the shell takes {operator} for a redirection and {verb} {target.value}"
        is_sure = is_glued and quote and not re.search(r"""["'`$\\]""", spec)
        edits = [(name.start, end, f"{quote}{spec}{quote}")] if is_sure else []
        mark = quote or "'"
        hint = f"write {mark}{spec}{mark}, in quotes"
        return ShellIssue("misread-requirement", name.start, end, message, hint, edits)
    return None


def _file_as_requirement(program: str, before: Word, word: Word) -> ShellIssue | None:
    """Return what is wrong with a list of requirements that is given as one of them."""
    name = word.value
    is_value = before.value.startswith(_DASHES) and before.value not in _FLAGS
    if not name.endswith(".txt") or name.startswith("-") or is_value or word.substitutes:
        return None
    option = "-r" if program == "pip" else "--file"
    message = f"{program} takes {name.rpartition('/')[2]} for a package, not for a list of them"
    edits = [(word.start, word.start, f"{option} ")]
    return ShellIssue(
        "misread-requirement", word.start, word.end, message, f"write {option} before it", edits
    )


def _malformed(word: Word) -> Iterator[ShellIssue]:
    value, start, end = word.value, word.start, word.end
    if end - start != len(value):
        return  # there is a backslash in it
    if match := _ONE_EQUALS.fullmatch(value):
        at = start + match.end(1)
        meant = f"{match[1]}=={match[2]}"
        message = f"pip knows no = as in {value}, but =="
        edits = [(at, at + 1, "==")] + ([(end - 1, end, "")] if value.endswith(",") else [])
        yield ShellIssue("misread-requirement", start, end, message, f"write {meant}", edits)
    elif _LISTED.fullmatch(value):
        message = f"the comma is a part of the requirement {value}, which pip refuses"
        edits = [(end - 1, end, "")]
        yield ShellIssue("misread-requirement", start, end, message, "leave the comma out", edits)


def _torn(text: str, name: Word, comparison: Word) -> ShellIssue:
    message = f"{comparison.value} is a requirement of its own for pip, and has no name"
    start, end = name.start, comparison.end
    if _COMPARISON.fullmatch(comparison.value):
        return ShellIssue("misread-requirement", start, end, message, "write them as one word")
    whole = name.value + comparison.value
    edits = (
        [] if text[name.end : comparison.start].strip(" ") else [(name.end, comparison.start, "")]
    )
    return ShellIssue(
        "misread-requirement", start, end, message, f"write {whole} as one word", edits
    )
