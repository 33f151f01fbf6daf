"""Arguments of a script, which are split into words as a shell does it."""

from __future__ import annotations

import re
from typing import Final

_CLOSED: Final = re.compile(r"""(?:[^\\'"]++|\\.|'[^']*+'|"(?:[^\\"]++|\\.)*+")*+""", re.DOTALL)
"""A text up to what is left open in it."""


def open_quote(text: str) -> tuple[int, str] | None:
    """Return the offset and the mark of what is left open in `text`; None if nothing is.

    That is a quote, or a backslash at the end, which escapes nothing.
    """
    match = _CLOSED.match(text)
    end = match.end() if match else 0
    return (end, text[end]) if end < len(text) else None
