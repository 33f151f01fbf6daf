"""JSON text as the YAML parser's events.

JSON is YAML on paper only: libyaml refuses surrogate pairs, long keys and some tabs, and folds
lines at characters that are ordinary in JSON. So text that is JSON is read as JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import yaml

_SPACE = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(
    r"""
    (?P<string> "(?: [^"\\\x00-\x1f]++ | \\(?: ["\\/bfnrt] | u[0-9a-fA-F]{4} ) )*+" )
  | (?P<plain> true | false | null
      | -?(?: 0 | [1-9][0-9]*+ )(?: \.[0-9]++ )?(?: [eE][-+]?[0-9]++ )? )
  | [][{},:]
    """,
    re.VERBOSE,
)
_OPENING = ("{", "[")
_IMPLICIT = True


class Token(NamedTuple):
    """A token, of which the kind is `string`, `plain` or itself, and where it begins and ends."""

    kind: str
    start: int
    end: int


class Stop(NamedTuple):
    """Where a text stops being JSON."""

    at: int
    """Index of the first character that can't stand there; behind the last one at the end."""
    kind: str
    """Kind of the token there; empty if there is none."""
    expected: str
    """`value`, `key`, `comma` or `colon`."""
    opened: Sequence[tuple[str, int]]
    """Brackets that are open there, and their indices."""
    last: Token
    """The token in front of it."""


class NotJsonError(ValueError):
    """The text is something else than one JSON document."""

    def __init__(self, stop: Stop) -> None:
        """Say where."""
        super().__init__()
        self.stop = stop


def looks_like_json(text: str) -> bool:
    """Return whether a text starts as JSON objects and arrays do."""
    return text[_SPACE.match(text).end() :][:1] in _OPENING  # type: ignore[union-attr]


def json_events(text: str) -> Iterator[Any]:
    """Yield the events of a JSON object or array.

    Raises:
        NotJsonError: the text is not JSON, which may show after some events only.
    """
    yield yaml.DocumentStartEvent()
    opened: list[tuple[str, int]] = []
    # What may stand here: a value, a key, a comma or a colon; `empty` allows a closing as well.
    expected, empty, last = "value", False, Token("", 0, 0)
    for kind, text_here, start, end in tokens(text):
        after = "comma"
        match expected, kind:
            case "comma", "," if opened:
                after = "key" if opened[-1][0] == "{" else "value"
            case "colon", ":":
                after = "value"
            case "value", "{":
                yield yaml.MappingStartEvent(None, None, _IMPLICIT, start, end, flow_style=True)
                opened.append((kind, start.index))
                after = "key"
            case "value", "[":
                yield yaml.SequenceStartEvent(None, None, _IMPLICIT, start, end, flow_style=True)
                opened.append((kind, start.index))
                after = "value"
            case "key" | "value", "string" if opened:
                value = _text(text_here)
                yield yaml.ScalarEvent(None, None, (False, True), value, start, end, style='"')
                after = "colon" if expected == "key" else "comma"
            case "value", "plain" if opened:
                yield yaml.ScalarEvent(None, None, (True, False), text_here, start, end)
            case _, "}" if (expected == "comma" or empty) and opened and opened[-1][0] == "{":
                opened.pop()
                yield yaml.MappingEndEvent(start, end)
            case _, "]" if (expected == "comma" or empty) and opened and opened[-1][0] == "[":
                opened.pop()
                yield yaml.SequenceEndEvent(start, end)
            case _:
                raise NotJsonError(Stop(start.index, kind, expected, opened, last))
        expected, empty, last = after, kind in _OPENING, Token(kind, start.index, end.index)
    if opened or expected != "comma":
        raise NotJsonError(Stop(len(text), "", expected, opened, last))
    yield yaml.DocumentEndEvent()


def tokens(text: str) -> Iterator[tuple[str, str, yaml.Mark, yaml.Mark]]:
    """Yield (kind, text, start, end) of the tokens; the kind of punctuation is itself.

    Only white space can hold line breaks. What is no token is the last one, of no kind.
    """
    at, line, line_start = 0, 0, 0
    while True:
        space = _SPACE.match(text, at)
        assert space
        if breaks := text.count("\n", at, space.end()):
            line += breaks
            line_start = text.rfind("\n", at, space.end()) + 1
        at = space.end()
        if at == len(text):
            return
        start = yaml.Mark("", at, line, at - line_start, None, 0)
        token = _TOKEN.match(text, at)
        if not token:
            yield "", "", start, start
            return
        at = token.end()
        kind = token.lastgroup or token[0]
        yield kind, token[0], start, yaml.Mark("", at, line, at - line_start, None, 0)


def _text(token: str) -> str:
    if "\\" not in token:
        return token[1:-1]
    # Lone surrogates are reported by the composer.
    text: str = json.loads(token)
    return text
