"""Characters that word processors put in the place of those which were typed.

They look like dashes, quotes, spaces and operators, and mean nothing to a shell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.linter.shell.issues import MAX_LENGTH
from bai.linter.shell.shell_issue import ShellIssue

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_LONG = frozenset("\u2014\u2015")
"""What stands for two hyphens."""
_EN_DASH = "\u2013"
"""What stands for one hyphen, or for two."""
_OPTION = re.compile(rf"([-{_DASHES}]+)([A-Za-z][\w-]*)")
_QUOTED = re.compile(
    '(?<![^\\s=])(?:[\u201c\u201d\u201e]([^\u201c\u201d\u201e"\\\\\n]*)[\u201c\u201d]'
    "|\u2018([^\u2018\u2019'\n]*)\u2019)(?![^\\s;&|)])"
)
_IN_NAME = re.compile(rf"[-{_DASHES}]+[A-Za-z]\w*(?:-\w+)*([{_DASHES}])(?=[A-Za-z])")
"""An option up to a dash within its name."""
_NUMBER = re.compile(
    rf"(?:--?[A-Za-z][\w-]*=)?(?:[-+{_DASHES}]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+{_DASHES}]?\d+)?)"
)
_DASH = re.compile(f"[{_DASHES}]")
_SPACE = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE = re.compile("[\u200b\u2060\ufeff]+")
_WIDE = {
    "\uff5c": "|",
    "\uff5c\uff5c": "||",
    "\uff06\uff06": "&&",
    "\uff06": "&",
    "\uff1b": ";",
    "\uff1e": ">",
    "\uff1e\uff1e": ">>",
    "\uff1c": "<",
}
"""Operators as an input method for Chinese or Japanese writes them."""
_NOTEBOOK = re.compile(r"[!%](?:pip3?|conda|python3?|apt|apt-get|bash|cd|ls|git|wget|curl)$")
"""The first word of a command as a notebook takes it."""
_BUNDLERS = frozenset(
    "tar ls ps rm cp mv mkdir ln grep sort chmod chown du df bash sh set mpirun mpiexec".split()  # noqa: SIM905
)
"""Programs whose options of several letters may have one hyphen."""
_PRINTERS = frozenset({"echo", "printf"})
"""Programs for which all characters are alike."""


def pasted_text(text: str, *, is_command: bool) -> list[ShellIssue]:
    """Return such characters where they stand outside of quotes, in order of place.

    Args:
        text: a command line, or the arguments of a script.
        is_command: whether it is the former.
    """
    if text.isascii() or len(text) > MAX_LENGTH:
        return []
    from bai.linter.shell.called_programs import bare
    from bai.linter.shell.lexer import sequences

    found: list[ShellIssue] = []
    plain: set[int] = set()
    for sequence in sequences(text):
        for command in sequence.commands:
            name = bare(command).name if is_command else ""
            if name in _PRINTERS:
                continue
            for before, word in zip([None, *command.words], command.words, strict=False):
                if not word.quoted:
                    plain.update(range(word.start, word.end))
                if before and (space := _SPACE.search(text, before.end, word.start)):
                    found.append(_space(space))
                if before or not is_command:
                    found += _option(text, word.start, name, is_command=is_command)
                if not word.quoted and not text[word.start : word.end].isascii():
                    found += _within(text, word.start, word.end, is_command=is_command)
    for match in _QUOTED.finditer(text):
        if match.start() in plain and match.end() - 1 in plain:
            found.append(_quoted(match))
    return sorted(found, key=lambda issue: issue.start)


def pasted_prompts(text: str) -> list[ShellIssue]:
    """Return the prompts of shells and notebooks before commands, in order of place."""
    if len(text) > MAX_LENGTH:
        return []
    from bai.linter.shell.lexer import sequences

    found = []
    for command in sequences(text)[-1].commands:
        words = command.words
        if not words or words[0].quoted:
            continue
        first, start = words[0].value, words[0].start
        if first == "$" and len(words) > 1 and text[start + 1 : words[1].start].isspace():
            end, what = words[1].start, "$ is the prompt of a shell"
        elif _NOTEBOOK.match(first):
            end, what = start + 1, f"{first[0]} before a command is for notebooks"
        else:
            continue
        message = f"{what}, and no part of a command"
        place = (start, words[0].end)
        found.append(ShellIssue("pasted-text", *place, message, "leave it out", [(start, end, "")]))
    return sorted(found, key=lambda issue: issue.start)


def _option(text: str, at: int, program: str, *, is_command: bool) -> Iterator[ShellIssue]:
    match = _OPTION.match(text, at)
    if match is None or match[1].isascii():
        return
    dashes, name = match.groups()
    long = len(name) > 1
    meant = "--" if long else "-"
    if len(dashes) > 1 or dashes in _LONG:
        sure = long
    elif dashes == _EN_DASH:
        # One hyphen and a long name is what mpirun takes.
        sure = not (long and is_command)
    else:
        meant, sure = "-", True
    hint = f"write {meant}{name}"
    if long and program in _BUNDLERS and dashes in {*_LONG, _EN_DASH}:
        sure, hint = False, f"write -{name} or --{name}"
    edits = [(*match.span(1), meant)] if sure else []
    message = f"{match[0]} begins with another dash than that of options"
    yield ShellIssue("pasted-text", *match.span(), message, hint, edits)


def _within(text: str, start: int, end: int, *, is_command: bool) -> Iterator[ShellIssue]:
    """Yield what is wrong within a word without quotes."""
    word = text[start:end]
    dashes = []
    if match := _IN_NAME.match(word):
        dashes = [match.start(1)]
    elif _NUMBER.fullmatch(word):
        dashes = [match.start() for match in _DASH.finditer(word)]
    if dashes:
        edits = [(start + at, start + at + 1, "-") for at in dashes]
        message = f"{word[dashes[0]]} in {word} is another dash than that of the keyboard"
        at = start + dashes[0]
        yield ShellIssue("pasted-text", at, at + 1, message, "write -", edits)
    for match in _INVISIBLE.finditer(word):
        place = (start + match.start(), start + match.end())
        code = f"U+{ord(match[0][0]):04X}"
        message = f"an invisible character, {code}, is a part of a word"
        yield ShellIssue("pasted-text", *place, message, "remove it", [(*place, "")])
    if is_command and (meant := _WIDE.get(word)):
        message, edits = f"{word} is a word as any other for a shell", [(start, end, meant)]
        yield ShellIssue("pasted-text", start, end, message, f"write {meant}", edits)


def _quoted(match: re.Match[str]) -> ShellIssue:
    start, end = match.span()
    quote = "'" if match[1] is None else '"'
    message = f"{match[0][0]} and {match[0][-1]} quote nothing for a shell"
    edits = [(start, start + 1, quote), (end - 1, end, quote)]
    return ShellIssue("pasted-text", start, end, message, f"write {quote} in their place", edits)


def _space(match: re.Match[str]) -> ShellIssue:
    what = "a no-break space" if match[0] == "\u00a0" else f"the space U+{ord(match[0]):04X}"
    message, edits = f"{what} is a part of a word, and divides none", [(*match.span(), " ")]
    return ShellIssue("pasted-text", *match.span(), message, "write a space", edits)
