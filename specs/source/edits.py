"""Fixes of keys and scalars, in the form in which they are written.

Each is None where the text is not as plain as that: with an anchor, a tag, escapes, over several
lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from bai.specs.document import Document
from bai.specs.findings import Fix, Path, Span
from bai.specs.names import evident
from bai.specs.source.places import line_at
from bai.specs.source.plain_scalar import NULLS

_QUOTES: Final = ("'", '"')
_WHOLE: Final = r"-?(?:0|[1-9][0-9]{0,18})"
_PLAIN: Final = r"[\w.+-]+"
"""Scalars that mean the same in double quotes, but as a string."""


def rename_key(document: Document, path: Path, name: str) -> Fix | None:
    """Return the fix that gives the key at the end of a path another name.

    None also if there is a key with that name.
    """
    span = document.keys.get(path)
    if span is None or (*path[:-1], name) in document.keys:
        return None
    quote = _quote(document, span, str(path[-1]))
    return None if quote is None else Fix.replace(span, f"{quote}{name}{quote}")


def word_fix(document: Document, path: Path, valid: Iterable[str]) -> Fix | None:
    """Return the fix that writes the only valid word that the text at a path can stand for."""
    value = document.value(path) if path in document.values else None
    word = evident(value, valid) if isinstance(value, str) else None
    return text_fix(document, path, word) if word else None


def text_fix(document: Document, path: Path, text: str) -> Fix | None:
    """Return the fix that writes another text, which needs no quotes, at a path."""
    span, value = document.values.get(path), document.value(path)
    if span is None or not isinstance(value, str):
        return None
    quote = _quote(document, span, value)
    return None if quote is None else Fix.replace(span, f"{quote}{text}{quote}")


def unquote_number(document: Document, path: Path) -> Fix | None:
    """Return the fix that takes the quotes from a whole number."""
    span = document.values.get(path)
    text = span and _text(document, span)
    if not span or not text or text[0] not in _QUOTES or text[-1] != text[0]:
        return None
    number = text[1:-1]
    return Fix.replace(span, number) if re.fullmatch(_WHOLE, number) else None


def quote_scalar(document: Document, path: Path) -> Fix | None:
    """Return the fix that puts a number or a boolean in quotes, as it is written."""
    span = document.values.get(path)
    text = span and _text(document, span)
    if not span or not text or text in NULLS or not re.fullmatch(_PLAIN, text, re.ASCII):
        return None
    return Fix.replace(span, f'"{text}"')


def _quote(document: Document, span: Span, word: str) -> str | None:
    """Return the quote around a key or a text, empty where there is none; None for other forms."""
    text = _text(document, span)
    return next((quote for quote in ("", *_QUOTES) if text == f"{quote}{word}{quote}"), None)


def _text(document: Document, span: Span) -> str | None:
    # A spec that is being imported was read from no text of its own.
    if span.line != span.end_line or not document.text:
        return None
    return line_at(document.text, span.line)[span.column - 1 : span.end_column - 1]
