"""`#` that begins a comment where a value was meant: `--tag #5`."""

from __future__ import annotations

import re
from typing import Final

_OPTION: Final = re.compile(r"(?:^|\s)--?[A-Za-z][\w-]*\s*$")
_NUMBER: Final = re.compile(r"#(?:\d+|[0-9a-fA-F]{6})$")
_GOES_ON: Final = re.compile(r"\s*(?:--?[A-Za-z]|&&|\|\||[|;>])")
"""More of a command line."""


def is_meant(before: str, comment: str) -> bool:
    """Return whether a comment is surely meant as a part of a command or of arguments.

    Args:
        before: what stands before it in the same line, or its end.
        comment: the comment, from its `#` to the end of the line.
    """
    word, _, rest = comment.strip().partition(" ")
    if len(word) < 2 or not word[1].isalnum() or _OPTION.search(before) is None:
        return False
    if not rest:
        return _NUMBER.match(word) is not None
    return _GOES_ON.match(rest) is not None
