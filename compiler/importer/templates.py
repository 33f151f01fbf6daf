"""Texts of the members of a sweep, as the one text with references that they were made of."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bai.specs.parameters.references import written
from bai.specs.source.plain_scalar import Plain

_TOKEN: Final = re.compile(r"[-+]?[\w.]+(?:(?<=[eE])[-+]\d+)?", re.ASCII)
"""What may be a number or a word of YAML's, in any spelling."""
_WORD: Final = r"\w.+-"
"""Characters next to which a number or a word goes on."""


class Spellings:
    """How the texts of members spell the values of their points."""

    def __init__(self, points: Sequence[Mapping[str, Any]]) -> None:
        """Look for the values of points.

        Args:
            points: for each member, the values of parameters as JSON data.
        """
        self._points = points
        self._found: list[dict[str, str]] = [{} for _ in points]
        self.used: set[str] = set()
        """The parameters that texts refer to."""

    def scalar(self, member: int, key: str) -> str:
        """Return a member's value of a parameter as a document has it."""
        return self._found[member].get(key) or scalar_of(self._points[member][key])

    def template(self, texts: Sequence[str]) -> str | None:
        """Return the text with references of which the texts of all members are made.

        None if there is none.
        """
        ends, parts = [0] * len(texts), []
        while any(end < len(text) for text, end in zip(texts, ends, strict=True)):
            if found := self._reference(texts, ends):
                parts.append(written(found[0]))
                ends = [end + len(each) for end, each in zip(ends, found[1], strict=True)]
                continue
            if len({text[end : end + 1] for text, end in zip(texts, ends, strict=True)}) > 1:
                return None
            parts.append(texts[0][ends[0]])
            ends = [end + 1 for end in ends]
        return "".join(parts)

    def _reference(
        self, texts: Sequence[str], ends: Sequence[int]
    ) -> tuple[str, Sequence[str]] | None:
        """Return a parameter whose values stand at places of the texts, and how they do."""
        for key in self._points[0]:
            values = [point[key] for point in self._points]
            if all(value == values[0] for value in values):
                continue
            places = zip(values, texts, ends, strict=True)
            found = [_at(value, text, end) for value, text, end in places]
            if all(found):
                self._note(key, [each or "" for each in found])
                return key, [each or "" for each in found]
        return None

    def constant(self, key: str, text: str, *, named: bool) -> str | None:
        """Return a text with a reference in place of the value that all members have.

        Args:
            key: the parameter.
            text: the text of all members.
            named: whether the parameter's name must stand before the value: `--lr 0.1`.
        """
        value = self._points[0][key]
        before = rf"(?<!\w){re.escape(key)}[ =]+['\"]?" if named else rf"(?<![{_WORD}])"
        for match in re.finditer(rf"{before}(?=[^ =])", text):
            found = _at(value, text, match.end())
            if found and not re.match(f"[{_WORD}]", text[match.end() + len(found) :]):
                self._note(key, [found] * len(self._points))
                return text[: match.end()] + written(key) + text[match.end() + len(found) :]
        return None

    def _note(self, key: str, texts: Sequence[str]) -> None:
        self.used.add(key)
        for point, known, text in zip(self._points, self._found, texts, strict=True):
            # A text in quotes says nothing of how its value is written.
            if not isinstance(point[key], str):
                known.setdefault(key, Plain(text))


def scalar_of(value: Any) -> str:
    """Return a value of a point as a document has it: numbers without quotes."""
    return value if isinstance(value, str) else Plain(json.dumps(value))


def spelt(value: Any, text: Any) -> str:
    """Return a value of a point, in the spelling of a text that it was made to, if that is one."""
    if isinstance(value, str) or not isinstance(text, str):
        return scalar_of(value)
    return Plain(text) if _is_value(Plain(text), value) else scalar_of(value)


def _at(value: Any, text: str, start: int) -> str | None:
    """Return the spelling of a value that stands at a place of a text; None if none does."""
    return next((each for each in _spellings(value, text, start)), None)


def _spellings(value: Any, text: str, start: int) -> Iterator[str]:
    if not isinstance(value, str):
        token = _TOKEN.match(text, start)
        if token and _is_value(Plain(token[0]), value):
            yield token[0]
        if text.startswith(json.dumps(value), start):
            yield json.dumps(value)
        return
    for form in (shlex.quote(value), value):
        if form and text.startswith(form, start):
            yield form


def _is_value(scalar: Plain, value: Any) -> bool:
    return type(scalar.value) is type(value) and scalar.value == value
