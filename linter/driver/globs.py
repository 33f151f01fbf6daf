"""Patterns of file names, as configuration files write them."""

from __future__ import annotations

import re
from functools import lru_cache

_TOKEN = re.compile(r"(\*\*/|/\*\*$|\*\*|\*|\?|\[!?[^\]/]{1,100}+\])")
_PARTS = {"*": "[^/]*", "?": "[^/]", "**": ".*", "**/": "(?:.*/)?", "/**": "(?:/.*)?"}


def matches(pattern: str, path: str) -> bool:
    """Return whether a pattern names a file or a folder above it.

    Args:
        pattern: `*` and `?` stay within one name, `**` does not, `[ab]` is one of the characters.
            A pattern without a slash names a file or folder at any depth.
        path: relative, with slashes.

    Raises:
        re.error: the pattern has a range that runs backwards.
    """
    return bool(_compiled(pattern).fullmatch(path))


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    pattern = pattern.removeprefix("./").rstrip("/")
    anywhere = "" if "/" in pattern else "(?:.*/)?"
    tokens = _TOKEN.split(pattern)
    return re.compile(f"{anywhere}{''.join(map(_regex, tokens))}(?:/.*)?", re.DOTALL)


def _regex(token: str) -> str:
    if token in _PARTS:
        return _PARTS[token]
    if token.startswith("[") and token.endswith("]"):
        negated = token.startswith("[!")
        inside = token[1 + negated : -1].replace("\\", "\\\\").replace("^", "\\^")
        return f"[{'^' * negated}{inside.replace('[', chr(92) + '[')}]"
    return re.escape(token)
