"""Arguments of a script, which are split into words as a shell does it."""

from __future__ import annotations


def open_quote(text: str) -> tuple[int, str] | None:
    """Return the offset and the mark of what is left open in `text`; None if nothing is.

    That is a quote, or a backslash at the end, which escapes nothing.
    """
    at, length = 0, len(text)
    while at < length:
        mark = text[at]
        if mark == "\\":
            if at + 1 == length:
                return at, mark
            at += 2
        elif mark == "'":
            end = text.find("'", at + 1)
            if end < 0:
                return at, mark
            at = end + 1
        elif mark == '"':
            start, at = at, at + 1
            while at < length and text[at] != '"':
                at += 2 if text[at] == "\\" else 1
            if at >= length:
                return start, mark
            at += 1
        else:
            at += 1
    return None
