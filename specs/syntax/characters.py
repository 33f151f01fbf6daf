"""Characters that text, or YAML, can't hold, and how many bytes a file may have."""

from __future__ import annotations

import re
from typing import Final

from bai.specs.codes import make_finding
from bai.specs.findings import Finding, Span

MAX_BYTES: Final = 64 * 1024 * 1024
"""What a file may have at most."""


# Patterns are compiled when they are used: files in ASCII need neither.
NOT_TEXT: Final = "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]"
NOT_YAML: Final = "[\x7f-\x9f\u2028\u2029\ufffe\uffff]"
"""What YAML forbids, and the line breaks of YAML 1.1, which libyaml still folds."""

_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


def encoding_of(content: bytes) -> str:
    """Return the encoding of a file's bytes: UTF-8, or UTF-16 with a byte order mark."""
    return "utf-16" if content[:2] in _UTF_16_MARKS else "utf-8"


def character_span(text: str, at: int, file: str) -> Span:
    """Return the span of the character at an index of a text."""
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return Span(file, line, column, line, column + 1)


def forbidden(pattern: str, text: str, file: str) -> Finding | None:
    """Return the finding about the first character that matches, or None."""
    match = re.search(pattern, text)
    if not match:
        return None
    message = f"the character U+{ord(match[0]):04X} can't stand here"
    hint = "remove it, or write it as an escape in a double-quoted string"
    return make_finding("BAI103", message, character_span(text, match.start(), file), hint)
