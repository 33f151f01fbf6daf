"""Where the keys and values of a TOML file stand: its parser keeps no positions."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

Keys = tuple[str, ...]
"""The way to a value: the keys of the tables that it is in, and its own."""

_BLANK: Final = re.compile(r"[ \t]*")
_BETWEEN: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|"(?:[^"\\]|\\.)*"|' + r"'''.*?'{3,5}|'[^']*'", re.DOTALL
)
_BARE_KEY: Final = re.compile(r"[\w-]+")
_OTHER_VALUE: Final = re.compile(r"[^,\]}#\r\n]*")
"""A number, a date or a truth value; a date may have a blank in it."""


class Place(NamedTuple):
    """Offsets in a text."""

    key: int
    """Where the key begins."""
    value: int | None = None
    """Where the value begins; None for a table that has no value of its own."""
    end: int | None = None
    """Where the value ends."""


def places(text: str) -> dict[Keys, Place]:
    r"""Return where each key of a TOML text first stands, with the value that follows it there.

    >>> places("[a] # b\nb = [1, 2]")["a", "b"]
    Place(key=8, value=12, end=18)

    Args:
        text: valid TOML; nothing is checked here.
    """
    scanner = _Scanner(text)
    scanner.document()
    return scanner.places


class _Scanner:
    """Goes through a text once."""

    def __init__(self, text: str) -> None:
        """Begin at the beginning."""
        self.places: dict[Keys, Place] = {}
        self._text = text
        self._at = 0

    def document(self) -> None:
        """Read all tables."""
        table: Keys = ()
        while self._next():
            brackets = 2 if self._text.startswith("[[", self._at) else self._peek("[")
            if not brackets:
                self._pair(table)
                continue
            self._at += brackets
            table = self._keys(())
            self._at += brackets

    def _pair(self, table: Keys) -> None:
        keys = self._keys(table)
        self._at += 1  # the equals sign
        self._skip(_BLANK)
        start = self._at
        self._value(keys)
        if self.places[keys].value is None:
            self.places[keys] = Place(self.places[keys].key, start, self._at)

    def _keys(self, table: Keys) -> Keys:
        """Read a dotted key, and the blanks around it."""
        while True:
            self._skip(_BLANK)
            start = self._at
            quoted = self._text[start] in "\"'"
            self._skip(_STRING if quoted else _BARE_KEY)
            word = self._text[start : self._at]
            table = (*table, _unquoted(word) if quoted else word)
            self.places.setdefault(table, Place(start))
            self._skip(_BLANK)
            if not self._peek("."):
                return table
            self._at += 1

    def _value(self, keys: Keys) -> None:
        if self._peek("["):
            self._at += 1
            while self._next() and not self._peek("]"):
                self._value(keys)
                self._comma()
            self._at += 1
        elif self._peek("{"):
            self._at += 1
            while self._next() and not self._peek("}"):
                self._pair(keys)
                self._comma()
            self._at += 1
        elif self._peek("\"'"):
            self._skip(_STRING)
        else:
            start = self._at
            self._skip(_OTHER_VALUE)
            self._at = start + len(self._text[start : self._at].rstrip())

    def _comma(self) -> None:
        self._next()
        self._at += self._peek(",")

    def _next(self) -> bool:
        """Go to what follows blanks, lines and comments; return whether there is something."""
        self._skip(_BETWEEN)
        return self._at < len(self._text)

    def _peek(self, characters: str) -> bool:
        return self._at < len(self._text) and self._text[self._at] in characters

    def _skip(self, pattern: re.Pattern[str]) -> None:
        if found := pattern.match(self._text, self._at):
            self._at = found.end()


def _unquoted(key: str) -> str:
    import tomllib

    name: str = tomllib.loads(f"name = {key}")["name"]
    return name
