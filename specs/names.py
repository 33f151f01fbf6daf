"""The nearest valid name, for messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

_MOST: Final = 200
"""Names that are compared or listed: comparing takes long, and a list of more helps no one."""
_LONGEST: Final = 200
"""Characters of a name that is compared with others: the time grows with their product."""
_ALIKE: Final = 0.65
"""How alike names are of which one may be meant for the other: `gpus` is not `inputs` (0.6)."""
_SHORTEST: Final = 4
_SHORTEST_WORD: Final = 3
_EVIDENT: Final = 0.9


def nearest(name: str, valid: Iterable[str], cutoff: float = _ALIKE) -> str | None:
    """Return the valid name that `name` most likely stands for, or None.

    `cutoff` is how alike the two must be: 1 for equal but for case, `-` and `_`. Long names, and
    those among very many, stand for one that is equal in that way or for none.
    """
    return next(iter(_alike(name, valid, cutoff)), None)


def ending_in(name: str, valid: Iterable[str]) -> list[str]:
    """Return the valid names that end in the words of `name`: `masterArgs` for `args`."""
    if len(name) < _SHORTEST_WORD:
        return []
    end = name[0].upper() + name[1:]
    return [each for each in islice(valid, _MOST) if each.endswith(end) and each != name]


def beginning_with(name: str, valid: Iterable[str]) -> list[str]:
    """Return the valid names that begin with the words of `name`: `mountVolumes` for `mount`."""
    start, length = name.lower(), len(name)
    if length < _SHORTEST_WORD:
        return []
    return [
        each
        for each in islice(valid, _MOST)
        if each.lower().startswith(start) and each[length : length + 1].isupper()
    ]


def evident(name: str, valid: Iterable[str]) -> str | None:
    """Return the only valid name that `name` can stand for, where that is beyond doubt; or None.

    A fix may use it unasked, so it is a different word that is longer than a few letters, or the
    same one but for case, `-` and `_`.
    """
    found = _alike(name, valid, _EVIDENT, least=_SHORTEST) if len(name) <= _LONGEST else ()
    return found[0] if len(found) == 1 else None


def suggestion(name: str, valid: Iterable[str]) -> str:
    """Return a hint for an unknown name: the nearest valid one, or else all valid ones."""
    names = list(islice(valid, _MOST))
    found = nearest(name, names)
    return f"did you mean {found}?" if found else listed(names)


def nearest_first(name: str, valid: Iterable[str], most: int) -> list[str]:
    """Return the valid names that are most like a name; of equally good ones the first."""
    import difflib

    wanted = _fold(name[:_LONGEST])
    ratios = {
        each: difflib.SequenceMatcher(None, _fold(each), wanted).ratio()
        for each in islice(valid, _MOST)
    }
    return sorted(ratios, key=lambda each: -ratios[each])[:most]


def listed(valid: Iterable[str]) -> str:
    """Return a hint that lists the valid names."""
    names = list(islice(valid, _MOST))
    return f"valid here: {', '.join(names)}" if names else "nothing can stand here"


def _alike(name: str, valid: Iterable[str], cutoff: float, *, least: int = 0) -> Sequence[str]:
    """Return the one or two valid names that are most like a name; an equal one alone.

    A name of less than `least` characters is only like an equal one.
    """
    import difflib

    by_fold = {_fold(candidate): candidate for candidate in islice(valid, _MOST)}
    if exact := by_fold.get(_fold(name)):
        return [exact]
    if not least <= len(name) <= _LONGEST:
        return ()
    found = difflib.get_close_matches(_fold(name), by_fold, n=2, cutoff=cutoff)
    return [by_fold[each] for each in found]


def _fold(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")
