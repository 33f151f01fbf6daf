"""Bash as a checker of syntax: its arguments, and its output."""

from __future__ import annotations

import re

from bai.linter.shell.grammar import ParseError

BASH_ARGUMENTS = ("--norc", "--noprofile", "-n")
"""How to call bash so that it reads its input and runs none of it."""

_UNCERTAIN = re.compile(
    r"(?:^|[\s;&|(])"
    r"(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|[{}]|\[\[)"
    r"(?=$|[\s;&|)])"
    r"|;;|&\s*;|(?<![$<>(])\("
)
"""Reserved words and operators, without which the lexer finds all errors."""
_BLANK = re.compile(r"<[A-Za-z][-\w. ]*>")
"""`<FILE>`, a blank to fill in."""
_MESSAGE = re.compile(r"^[^\n]*?line (\d+): (?:syntax error:? ?)?([^\n]+)", re.MULTILINE)
_TOKEN = re.compile(r"near unexpected token `(.+)'$")


def needs_bash(text: str) -> bool:
    """Return whether bash may refuse a text in which the lexer finds no error."""
    # Patterns of extglob are read only where the option is set, which happens when it runs.
    if "extglob" in text or _BLANK.search(text):
        return False
    return _UNCERTAIN.search(text) is not None


def parse_error_in(output: str, command: str) -> ParseError | None:
    """Return the error that bash reports for a command; None if its output names none."""
    match = _MESSAGE.search(output)
    if match is None:
        return None
    lines = command.split("\n")
    index = min(max(int(match[1]), 1), len(lines)) - 1
    while index and not lines[index].strip():
        index -= 1  # the end of the text is the line behind it
    start = sum(len(line) + 1 for line in lines[:index])
    line = lines[index]
    start += len(line) - len(line.lstrip())
    end = start + max(1, len(line.strip()))
    reason = match[2].replace("`", "'")
    message = f"bash refuses this: {reason}"
    token = _TOKEN.search(match[2])
    if token is None:
        hint = "close what is open: if with fi, do with done, case with esac, { with }, [[ with ]]"
        return ParseError(start, end, message, hint)
    word = token[1]
    edge = r"\b" if word.isalnum() else ""
    found = list(re.finditer(edge + re.escape(word) + edge, line))
    if len(found) == 1:
        start += found[0].start() - (len(line) - len(line.lstrip()))
        end = start + len(word)
    hint = f"look at what stands before {word}: ;, then, do or a command may be missing there"
    if re.search(rf"\(\s*{re.escape(word)}|\($", line) or word in {"(", ")"}:
        hint = "quote the parentheses if they are a part of an argument"
    return ParseError(start, end, message, hint)
