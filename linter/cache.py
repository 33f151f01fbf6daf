"""Caches for what is found in texts, since the files of one project repeat many texts.

A cached value must depend on the texts alone and must not be changed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

_LONGEST: Final = 400
"""Characters of a text that is kept: with `_MOST`, this bounds the memory that it takes."""
_MOST: Final = 2048
"""Texts that are kept for each function."""

Found = TypeVar("Found")


def cached(find: Callable[[str], Found]) -> Callable[[str], Found]:
    """Return `find` with a cache for the most recent short texts."""
    known = lru_cache(_MOST)(find)

    @wraps(find)
    def look(text: str) -> Found:
        return known(text) if len(text) <= _LONGEST else find(text)

    return look


def cached_tuples(
    find: Callable[[tuple[str, ...]], Found],
) -> Callable[[tuple[str, ...]], Found]:
    """Return `find` with the same cache for tuples of texts."""
    known = lru_cache(_MOST)(find)

    @wraps(find)
    def look(texts: tuple[str, ...]) -> Found:
        return known(texts) if sum(map(len, texts)) <= _LONGEST else find(texts)

    return look
