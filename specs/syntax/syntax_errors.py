"""Messages for the errors of the YAML parser, at the place that most likely causes them."""

from __future__ import annotations

import re
from typing import Any

import yaml

from bai.specs.codes import make_finding
from bai.specs.findings import Finding, Span
from bai.specs.source.plain_scalar import NULLS
from bai.specs.syntax import yaml_errors
from bai.specs.syntax.characters import character_span
from bai.specs.syntax.json_events import Stop

_NO_SPACE = re.compile(r"\s*(?:- +)*([^\s:#'\"{}\[\],]+):[^\s:/]")
_NO_DASH_SPACE = re.compile(r"\s*-[^\s-]")
_COMPLETE = re.compile(r"\s*(?:- +)*[^\s:#'\"]+: +[^\s#|>&]")
_HALF = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_STRAY = {"@": "`@`", "`": "a backtick", "%": "`%`"}


def explain_syntax_error(error: yaml.MarkedYAMLError, lines: list[str], file: str) -> Finding:
    """Return the finding for what libyaml, or PyYAML's own parser, could not read."""
    mark = error.problem_mark or error.context_mark
    place = (mark.line, mark.column) if mark else (0, 0)
    opened = error.context_mark
    found = _explain(
        error.context or "",
        error.problem or "can't be read",
        (opened.line, opened.column) if opened else place,
        place,
        lines,
    )
    message, hint, (line, column) = found
    if line >= len(lines) or (line and line == len(lines) - 1 and not lines[line]):
        line = max(index for index, text in enumerate(lines[: line + 1]) if text or not index)
        column = len(lines[line])
    end = min(column + 1, max(len(lines[line]), column))
    span = Span(file, line + 1, column + 1, line + 1, end + 1)
    return make_finding("BAI101", message, span, hint)


def explain_wrong_key(key: Any, written: str) -> tuple[str, str]:
    """Return the message and the hint for a key that is no string.

    Args:
        key: what it is.
        written: its text, if it stands on one line.
    """
    if isinstance(key, dict):
        return "a key must be a string", "text that begins with a brace needs quotes"
    if key is None and written and written in NULLS:
        message = f"a key must be a string, and `{written}` without quotes is none"
        return message, f'write "{written}"'
    return "a key must be a string", "write one name before the colon"


def explain_json_error(text: str, stop: Stop, file: str) -> Finding:
    """Return the finding for what is no JSON in a file that should be JSON."""
    from bai.specs.syntax.json_errors import json_error

    message, hint, at = json_error(text, stop)
    return make_finding("BAI101", message, character_span(text, at, file), hint)


def _explain(
    context: str, problem: str, opened: tuple[int, int], place: tuple[int, int], lines: list[str]
) -> tuple[str, str | None, tuple[int, int]]:
    """Return message, hint and place of the most likely cause."""
    line = lines[place[0]] if place[0] < len(lines) else ""
    indent = len(line) - len(line.lstrip())
    if "\t" in line[:indent]:
        return "a tab can't indent YAML", "indent with spaces", (place[0], line.index("\t"))
    if foreign := yaml_errors.foreign_line(lines, place[0]):
        return foreign
    if "escape" in problem:
        if half := _HALF.search(line, max(place[1] - 6, 0)):
            message = f"the escape {half[0]} is half a character"
            return message, "write the character itself", (place[0], half.start())
        message = "a backslash in double quotes starts an escape, and this is none"
        return message, r"write `\\`, or put the value in single quotes", place
    if "quoted scalar" in context or "double-quoted" in context:
        return "the quote is not closed", "add the closing quote", opened
    for kind, mark in (("mapping", "{"), ("sequence", "[")):
        if f"flow {kind}" in context:
            return yaml_errors.open_bracket(mark, lines, opened, place)
    found = line[place[1] : place[1] + 1]
    if "flow node" in context:
        if found == ",":
            return "a comma with nothing in front of it", "remove it", place
        return "a `{` or `[` is not closed", "add `}` or `]`", place
    if "node content" in problem:
        if found in (",", "]", "}"):
            return f"a value can't begin with `{found}`", "put it in quotes", place
        return "expected a value", "put text that begins with a bracket in quotes", place
    if "unexpected ':'" in problem:
        return "text with a `:` at its end, in braces or brackets", "put it in quotes", place
    if "directive" in context and "YAML" not in problem:
        return "a line can't begin with `%`", "put text in quotes", (place[0], 0)
    if "mapping keys are not allowed" in problem:
        return "a value can't begin with `? `", "put it in quotes", place
    if "could not find expected ':'" in problem:
        return _keyless(lines, opened)
    if "mapping values are not allowed" in problem:
        return _misplaced_colon(lines, place, indent)
    if "block mapping" in context or "block collection" in context:
        if line[: place[1]].strip():
            return yaml_errors.behind_value(lines, opened[0], place)
        return yaml_errors.misindented(lines, opened, place[0])
    if "cannot start any token" in problem:
        if line[place[1] : place[1] + 1] == "\t":
            return "a tab behind a dash", "write a space instead", place
        stray = _STRAY.get(line[place[1] : place[1] + 1], "this character")
        return f"a value can't begin with {stray}", "put it in quotes", place
    if "block scalar" in context:
        hint = "begin the text on the next line, indented; or put all of it in quotes"
        return "text behind `|` or `>`", hint, place
    if "anchor" in context or "alias" in context:
        kind, mark = ("anchor", "&") if "anchor" in context else ("alias", "*")
        message = f"`{mark}` begins an {kind}, and its name is missing"
        return message, "put the value in quotes", opened
    if "tag" in context or "tag" in problem:
        return "`!` begins a tag, and this is none", "put text in quotes", opened
    if "incompatible YAML" in problem:
        return "this version of YAML is unknown", "remove the %YAML line", place
    if "document start" in problem:
        return "text behind the end of the document", "begin a new document with ---", place
    if "block sequence entries" in problem:
        hint = "write the items of a list on lines of their own, or put text in quotes"
        return "a value can't begin with `- `", hint, place
    return f"this is no YAML: {problem}", "put text with special characters in quotes", place


def _keyless(lines: list[str], at: tuple[int, int]) -> tuple[str, str | None, tuple[int, int]]:
    line = lines[at[0]] if at[0] < len(lines) else ""
    if match := _NO_SPACE.match(line, at[1]):
        return _no_space(match, at[0])
    return yaml_errors.keyless(lines, at[0])


def _misplaced_colon(
    lines: list[str], at: tuple[int, int], indent: int
) -> tuple[str, str | None, tuple[int, int]]:
    line = lines[at[0]]
    if ": " in line[: at[1]]:
        message = "a second `: ` in one line: a value can't be a mapping there"
        return message, "put text in quotes, and a mapping in braces: {key: value}", at
    above = at[0] - 1
    while above > 0 and not lines[above].strip():
        above -= 1
    if above >= 0:
        if match := _NO_SPACE.match(lines[above]):
            return _no_space(match, above)
        if _NO_DASH_SPACE.match(lines[above]):
            place = (above, lines[above].index("-"))
            return "the dash of a list's item has no space behind it", "write `- item`", place
        if _COMPLETE.match(lines[above]):
            message = f"indented deeper than line {above + 1}, whose key has a value already"
            return message, "give all keys of one mapping the same indent", (at[0], indent)
        if ":" not in lines[above]:
            return yaml_errors.keyless(lines, above)
    return "a `:` where no key can stand", "put text that holds `: ` in quotes", at


def _no_space(match: re.Match[str], line: int) -> tuple[str, str, tuple[int, int]]:
    key = match[1]
    message = f"the colon of {key!r} has no space behind it"
    return message, f"write `{key}: ` and the value", (line, match.end(1))
