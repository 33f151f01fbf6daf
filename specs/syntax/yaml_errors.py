"""Errors in YAML, found from the lines at which the parser stopped."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_CONFLICT: Final = re.compile(r"(?:<{7}|>{7})(?: |$)|={7}$")
_SPACES: Final = re.compile("[\u00a0\u2000-\u200b\u202f\u3000]")
"""Characters that look like a space, and are none to YAML."""
_COLONS: Final = re.compile("[\ufe55\uff1a]")
_ASSIGNED: Final = re.compile(r"\s*(?:- +)*([\w.-]+)\s*=")
_OPEN_TEXT: Final = re.compile(r":\s+[|>][-+0-9]*\s*$")
_BLOCK_KEY: Final = re.compile(r"(\s*)(?:- +)*[\w$.-]+\s*:(?:\s|$)")
_COMMENT: Final = re.compile(r"(?:^|\s)(//|/\*)")
_WORD_QUOTE: Final = re.compile(r"(?<=\w)'(?=\w)|#.*")
_CLOSING: Final = {"{": "}", "[": "]"}


class ParseError(NamedTuple):
    """What is wrong, what to do, and the (line, column) of it, from 0."""

    message: str
    hint: str | None
    place: tuple[int, int]


def foreign_line(lines: list[str], last: int) -> ParseError | None:
    """Return the error of lines that are of another language, or hold what only looks like YAML.

    Args:
        lines: of the file.
        last: the line in which the parser stopped.
    """
    for index in range(last, max(-1, last - 3), -1):
        line = lines[index] if index < len(lines) else ""
        indent = len(line) - len(line.lstrip(" "))
        if _CONFLICT.match(line):
            return ParseError("a mark of a merge conflict", "keep one side of it", (index, 0))
        if line.startswith("```", indent):
            return ParseError("a fence of Markdown", "remove the line", (index, indent))
        if (column := line.find("{%")) >= 0 and not line[:column].strip():
            message = "a template's `{%` is no YAML"
            return ParseError(message, "fill in the template", (index, column))
        if (found := _SPACES.search(line, indent)) and _is_structural(line, indent, found.start()):
            message = f"U+{ord(found[0]):04X} looks like a space, and is none to YAML"
            return ParseError(message, "write a plain space", (index, found.start()))
        if (wide := _COLONS.search(line)) and not _BLOCK_KEY.match(line):
            message = f"U+{ord(wide[0]):04X} is no colon to YAML"
            return ParseError(message, "write a plain `: `", (index, wide.start()))
    return None


def _is_structural(line: str, indent: int, column: int) -> bool:
    """Return whether a character stands in the indent, or right behind the colon of a key."""
    return column == indent or line[:column].rstrip().endswith((":", "-"))


def keyless(lines: list[str], line: int) -> ParseError:
    """Return the error of a line without a colon among keys."""
    text = lines[line] if line < len(lines) else ""
    column = len(text) - len(text.lstrip())
    above = next((each for each in reversed(lines[:line]) if each.strip()), "")
    if _OPEN_TEXT.search(above):
        hint = "indent it deeper than the key of the `|` or `>`"
        return ParseError("text that is not indented", hint, (line, column))
    if match := _ASSIGNED.match(text):
        message, place = f"`=` behind the key {match[1]!r}", (line, text.index("=", match.end(1)))
        return ParseError(message, f"write {match[1]}: and the value", place)
    return ParseError("a line without a colon among keys", "write it as key: value", (line, column))


def open_bracket(
    mark: str, lines: list[str], opened: tuple[int, int], place: tuple[int, int]
) -> ParseError:
    """Return the error in a mapping or list in brackets.

    Args:
        mark: the opening bracket.
        lines: of the file.
        opened: where it stands.
        place: where the parser stopped.
    """
    closing, line = _CLOSING[mark], lines[place[0]] if place[0] < len(lines) else ""
    found = line[place[1] : place[1] + 1]
    if found == "{" and line[place[1] - 1 : place[1]] == "$":
        reference = line[place[1] - 1 :].partition("}")[0] + "}"
        where = "braces" if mark == "{" else "brackets"
        hint = f"put the whole text with {reference} in quotes"
        return ParseError(f"`${{` without quotes in {where}", hint, (place[0], place[1] - 1))
    if found in ("}", "]") and found != closing:
        message = f"the `{mark}` of line {opened[0] + 1} is closed by `{found}`"
        return ParseError(message, f"write `{closing}`", place)
    for index in range(opened[0], min(place[0] + 1, len(lines))):
        if comment := _COMMENT.search(lines[index]):
            message = f"`{comment[1]}` begins no comment in YAML"
            return ParseError(message, "write `#`", (index, comment.start(1)))
    begun = lines[opened[0]] if opened[0] < len(lines) else ""
    indent = len(begun) - len(begun.lstrip())
    key = _BLOCK_KEY.match(line)
    if place[0] > opened[0] and (place[0] >= len(lines) - 1 or (key and len(key[1]) <= indent)):
        return ParseError(f"the `{mark}` is not closed", f"add `{closing}`", opened)
    if place[0] == opened[0] and found in (":", "{", "["):
        what = "a second `: ` in one value" if found == ":" else f"a `{found}` in an unquoted text"
        message = f"{what}, or a comma is missing"
        return ParseError(message, "add the comma, or put the whole value in quotes", place)
    message = f"the `{mark}` of line {opened[0] + 1} is not closed, or a comma is missing"
    return ParseError(message, f"add `{closing}` or `,`", place)


def behind_value(lines: list[str], first: int, place: tuple[int, int]) -> ParseError:
    """Return the error of text behind a value that is complete.

    Args:
        lines: of the file.
        first: the line in which the keys around it begin.
        place: of the text.
    """
    line, column = lines[place[0]], place[1]
    before, here = line[:column].rstrip(), line[column : column + 1]
    if here in ("}", "]"):
        return ParseError(f"a `{here}` too many", "remove it", place)
    if before.endswith(("'", '"')):
        quote = before[-1]
        for index in range(place[0] - 1, first - 1, -1):
            # Apostrophes in words don't open anything.
            if _WORD_QUOTE.sub("", lines[index]).count(quote) % 2:
                opened = (index, lines[index].rindex(quote))
                return ParseError("the quote is not closed", "add the closing quote", opened)
        if quote == "'" and line[column - 1 : column] == "'" and here.isalnum():
            hint = "write it twice, '', or put all in double quotes"
            return ParseError("a quote in quotes", hint, (place[0], column - 1))
    return ParseError("text behind a value that is complete", "put all of it in quotes", place)


def misindented(lines: list[str], opened: tuple[int, int], line: int) -> ParseError:
    """Return the error of a line whose indent fits none of those above.

    Args:
        lines: of the file.
        opened: where the keys or items begin that it stands below.
        line: its index.
    """
    text = lines[line] if line < len(lines) else ""
    above = lines[opened[0]] if opened[0] < len(lines) else ""
    indent = len(text) - len(text.lstrip())
    is_item, follows_item = _is_item(text), _is_item(above[opened[1] :])
    block = f"which begin on line {opened[0] + 1}"
    if text[indent : indent + 1] in ("}", "]"):
        return ParseError(f"a `{text[indent]}` too many", "remove it", (line, indent))
    beside = next((each for each in reversed(lines[:line]) if each.strip()), "")
    if is_item and not follows_item and not _is_item(beside):
        hint = "remove the dash, or indent the list below its own key"
        return ParseError(f"a list's item among keys, {block}", hint, (line, indent))
    if follows_item and not is_item and indent == opened[1]:
        hint = "indent it like the text behind the dash, or remove the dash"
        return ParseError(f"a key among the items of a list, {block}", hint, (line, indent))
    what = "items of one list" if is_item else "keys of one mapping"
    message = f"the indent fits no line above (the block starts on line {opened[0] + 1})"
    return ParseError(message, f"give all {what} the same indent", (line, indent))


def _is_item(text: str) -> bool:
    return text.lstrip().startswith("- ") or text.strip() == "-"
