"""Errors in JSON, found from the place at which the text stops being JSON."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bai.specs.syntax.json_events import Stop, tokens
from bai.specs.words import CURLY_QUOTES

_STRING_PART: Final = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_WORD: Final = re.compile(r"[\w$.+-]+")
_KEY: Final = re.compile(r"[\w$.-]+\s*:")
_NUMBER: Final = re.compile(r"[-+]?(?:0[xob][0-9a-fA-F]+|[0-9._]+)")
_CONFLICT: Final = ("<<<<<<<", "=======", ">>>>>>>")
_CLOSING: Final = {"{": "}", "[": "]"}
_WORDS: Final = {
    **dict.fromkeys(("True", "TRUE"), "true"),
    **dict.fromkeys(("False", "FALSE"), "false"),
    **dict.fromkeys(("None", "Null", "NULL", "nil", "undefined"), "null"),
}
"""Values of other languages -> the value of JSON."""
_NO_NUMBERS: Final = ("NaN", "Infinity", "-Infinity")
_MOST_LINES: Final = 20
"""Lines in which the other quote of a string is looked for."""


class JsonError(NamedTuple):
    """What is wrong, what to do, and the index of the character."""

    message: str
    hint: str
    at: int


def json_error(text: str, stop: Stop) -> JsonError:
    """Return the error at which a text stops being JSON."""
    here = text[stop.at : stop.at + 1]
    if found := _foreign(text, stop, here):
        return found
    if here == '"' and not stop.kind:
        return _broken_string(text, stop.at)
    if not here:
        return _unclosed(text, stop)
    if here in "}]":
        return _closing(text, stop, here)
    if here in ",:":
        return _separator(text, stop, here)
    if not stop.opened and here == ";":
        return JsonError("a `;` behind the end of the JSON", "remove it", stop.at)
    if not stop.opened:
        hint = "a JSON file holds one document: put the rest into a file of its own"
        return JsonError("text behind the end of the JSON", hint, stop.at)
    match stop.expected:
        case "comma":
            return _missing_comma(text, stop, here)
        case "colon" if here == "=":
            return JsonError("`=` behind a key", "write `:`", stop.at)
        case "colon":
            return JsonError("a colon is missing", "add `:` and the key's value", stop.last.end)
        case "key":
            return _no_key(text, stop, here)
    return _no_value(text, stop.at)


def _foreign(text: str, stop: Stop, here: str) -> JsonError | None:
    """Return the error of what is of another language, or only looks like JSON."""
    at = stop.at
    if text.startswith(("//", "/*", "#"), at):
        hint = "remove it" if here == "/" else "remove it, or name the file .yaml"
        return JsonError("JSON has no comments", hint, at)
    if text.startswith(_CONFLICT, at) and text[at - 1 : at] in ("", "\n"):
        return JsonError("a mark of a merge conflict", "keep one side of it", at)
    # Of `{{`, the second one can't stand there, of `{%` in the place of a key the first.
    for begin in (at - 1, at):
        if text.startswith(("{{", "{%"), begin) and not text.startswith('"', begin + 2):
            message = f"a template's `{text[begin : begin + 2]}` is no JSON"
            return JsonError(message, "fill in the template", begin)
    if here and here in CURLY_QUOTES:
        return JsonError(f"U+{ord(here):04X} is no quote to JSON", 'write a plain `"`', at)
    if here.isspace() or here == "\u200b":
        message = f"U+{ord(here):04X} looks like a space, and is none to JSON"
        return JsonError(message, "write a plain space", at)
    return None


def _broken_string(text: str, at: int) -> JsonError:
    """Return the error in a string that begins at an index."""
    part = _STRING_PART.match(text, at)
    end = part.end() if part else at
    stopped = text[end : end + 1]
    if stopped == "\\" and text[end + 1 : end + 2] not in ("", "\r", "\n"):
        message = "a backslash in a string starts an escape, and this is none"
        return JsonError(message, r"write `\\` for a backslash", end)
    if stopped == "\t":
        return JsonError("a tab in a string", r"write `\t`", end)
    if stopped and _goes_on(text, end):
        hint = r"write `\n` for the line's end, or all of it in one line"
        return JsonError("a string that goes on in the next line", hint, end)
    return JsonError("the quote is not closed", "add the closing quote", at)


def _goes_on(text: str, end: int) -> bool:
    """Return whether a string that a line's end breaks is closed in a later line.

    The next line with quotes has an odd number of them: whole strings have two.
    """
    for _ in range(_MOST_LINES):
        begin = text.find("\n", end) + 1
        if not begin:
            return False
        end = text.find("\n", begin)
        line = text[begin : end if end >= 0 else len(text)]
        if quotes := line.replace("\\\\", "").replace('\\"', "").count('"'):
            return quotes % 2 == 1
        if end < 0:
            return False
    return False


def _unclosed(text: str, stop: Stop) -> JsonError:
    """Return the error of a text that ends too early."""
    if suspect := _closed_by_another(text):
        mark, at = suspect
        return JsonError(f"the `{mark}` is not closed", f"add `{_CLOSING[mark]}`", at)
    mark, at = stop.opened[-1]
    message = f"the `{mark}` of line {text.count(chr(10), 0, at) + 1} is not closed"
    return JsonError(message, f"add `{_CLOSING[mark]}`", stop.last.end)


def _closed_by_another(text: str) -> tuple[str, int] | None:
    """Return the first bracket, and its index, that is closed with the indent of an outer one."""
    opened: list[tuple[str, int, int]] = []
    line, indent = -1, 0
    for kind, _, start, _ in tokens(text):
        is_first = start.line != line
        if is_first:
            line, indent = start.line, start.column
        if kind in _CLOSING:
            opened.append((kind, start.index, indent))
        elif kind in ("}", "]") and opened:
            mark, at, outside = opened.pop()
            if is_first and indent < outside:
                return mark, at
    return None


def _closing(text: str, stop: Stop, here: str) -> JsonError:
    """Return the error in front of, or at, a bracket that closes."""
    if not stop.opened:
        return JsonError(f"a `{here}` too many", "remove it", stop.at)
    if stop.last.kind == ",":
        return JsonError("a comma with nothing behind it", "remove the comma", stop.last.start)
    if stop.last.kind == ":" or stop.expected == "colon":
        return _without_value(stop)
    mark, at = stop.opened[-1]
    message = f"the `{mark}` of line {text.count(chr(10), 0, at) + 1} is closed by `{here}`"
    return JsonError(message, f"write `{_CLOSING[mark]}`", stop.at)


def _separator(text: str, stop: Stop, here: str) -> JsonError:
    """Return the error of a comma or a colon where none can stand."""
    if stop.expected == "colon" or (stop.last.kind == ":" and here == ","):
        return _without_value(stop)
    if here == ",":
        what = "in front of" if stop.opened else "behind"
        return JsonError(f"a comma with nothing {what} it", "remove the comma", stop.at)
    if stop.expected == "comma" and stop.opened:
        mark, at = stop.opened[-1]
        if mark == "[":
            line = text.count("\n", 0, at) + 1
            hint = "close the list with `]` first, or put the key and its value in braces"
            return JsonError(f"a key in the list of line {line}", hint, stop.at)
        hint = "put keys and values in braces of their own: {...}"
        return JsonError("a second colon behind a key", hint, stop.at)
    return JsonError("a colon with no key in front of it", "remove it, or add a key", stop.at)


def _without_value(stop: Stop) -> JsonError:
    hint = "add its value" if stop.last.kind == ":" else "add `:` and its value"
    return JsonError("a key without a value", hint, stop.last.end)


def _missing_comma(text: str, stop: Stop, here: str) -> JsonError:
    """Return the error of text behind a value."""
    kind, start, end = stop.last
    if here == ";":
        return JsonError("a `;` where JSON has a comma", "write `,`", stop.at)
    if stop.at == end and kind == "string":
        hint = r"write `\"` for a quote in a string"
        return JsonError("text right behind the closing quote", hint, stop.at)
    if stop.at == end and kind == "plain":
        return _no_value(text, start)
    word = _KEY.match(text, stop.at) if stop.opened[-1][0] == "{" else None
    if here in "\"'" or word or (stop.opened[-1][0] == "[" and stop.kind):
        return JsonError("a comma is missing", "add `,`", end)
    return JsonError("text behind a value that is complete", "remove it", stop.at)


def _no_key(text: str, stop: Stop, here: str) -> JsonError:
    """Return the error of what stands in the place of a key."""
    if here == "'":
        return _single_quotes(stop.at)
    if here in "{[":
        return JsonError(f"a `{here}` without a key", 'write "key": in front of it', stop.at)
    word = _WORD.match(text, stop.at)
    if word and text[word.end() : word.end() + 1] == '"':
        return JsonError("the opening quote is missing", 'add `"`', stop.at)
    return JsonError("a key without quotes", "put it in double quotes", stop.at)


def _no_value(text: str, at: int) -> JsonError:
    """Return the error of what stands in the place of a value, and is none."""
    if text[at] == "'":
        return _single_quotes(at)
    found = _WORD.match(text, at)
    word = found[0] if found else ""
    if word in _WORDS:
        return JsonError(f"`{word}` is no value in JSON", f"write {_WORDS[word]}", at)
    if word in _NO_NUMBERS:
        return JsonError(f"`{word}` is no number in JSON", "write a number, or null", at)
    if _NUMBER.fullmatch(word):
        hint = "write it like 2, -2 or 0.5, or put it in double quotes"
        return JsonError("this is no number in JSON", hint, at)
    if found and text[found.end() : found.end() + 1] == '"':
        return JsonError("the opening quote is missing", 'add `"`', at)
    return JsonError("text without quotes", "put it in double quotes", at)


def _single_quotes(at: int) -> JsonError:
    return JsonError("a string in single quotes", 'write double quotes: "..."', at)
