"""The nearest valid name, for messages."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

_MOST: Final = 200
"""Names that are looked at: to compare takes long, and nobody reads more of them."""


def nearest(name: str, valid: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the valid name that `name` most likely stands for, or None.

    `cutoff` is how alike the two must be: 1 for equal but for case, `-` and `_`.
    """
    import difflib

    by_fold = {_fold(candidate): candidate for candidate in islice(valid, _MOST)}
    if exact := by_fold.get(_fold(name)):
        return exact
    found = difflib.get_close_matches(_fold(name), by_fold, n=1, cutoff=cutoff)
    return by_fold[found[0]] if found else None


def suggestion(name: str, valid: Iterable[str]) -> str:
    """Return a sentence that leads from a wrong name to the valid ones."""
    names = list(islice(valid, _MOST))
    if found := nearest(name, names):
        return f"did you mean {found}?"
    return f"valid here: {', '.join(names)}" if names else "nothing can stand here"


def _fold(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")
