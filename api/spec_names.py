"""Names that a class of `bai.spec` does not have, with what may be meant."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from bai.specs.findings import Path
from bai.specs.validation.spec_keys import BATCH_AI_KEYS, RELATED
from bai.specs.validation.unknown_keys import UnknownKey, hint_of, meaning_of

_HINTS: Final = {
    "spec": "what is below `spec` in YAML stands right here: jobs={...}",
    "api_version": "leave it out: the YAML has it",
    "kind": "leave it out: the class says it",
}
"""Name of a part of every document -> why no class has it."""


class ClassNames:
    """The names that the classes have."""

    def __init__(self, names: Mapping[str, Collection[str]], near: Collection[str]) -> None:
        """Look at classes.

        Args:
            names: class -> the names that it has.
            near: the classes whose names are likely to be meant.
        """
        self._names = names
        self._near = near

    def all_keys(self) -> Collection[str]:
        """Return the names of all classes."""
        return {name for names in self._names.values() for name in names}

    def owners(self, key: str, near: Path) -> Sequence[Path]:  # noqa: ARG002 - as KeyIndex has it
        """Return the classes that have a name: of those near, if there are any."""
        found = [each for each in self._names if key in self._names[each]]
        return [(each,) for each in found if each in self._near] or [(each,) for each in found]

    def in_words(self, owner: Path) -> str:
        """Return the name of a class."""
        return str(owner[0])

    def rival(self, owner: Path) -> None:
        """Return None: a class is of one toolkit at most."""


def unknown_name(
    name: str, owner: str, names: Mapping[str, Collection[str]], near: Collection[str]
) -> str:
    """Return the message about a name that a class does not have.

    Args:
        name: the name.
        owner: the class.
        names: class -> the names that it has.
        near: the classes whose names are likely to be meant.
    """
    hint = _HINTS.get(name)
    if hint is None:
        valid = {_folded(each): each for each in names[owner]}
        folded = _folded(name)
        aliases = (meant for key, meant in BATCH_AI_KEYS.items() if _folded(key) == folded)
        related = (meant for key, meant in RELATED.items() if _folded(key) == folded)
        key = UnknownKey(
            (owner, name),
            list(valid.values()),
            alias=valid.get(_folded(next(aliases, ""))),
            related=[valid[_folded(e)] for e in next(related, ()) if _folded(e) in valid],
        )
        index = ClassNames(names, near)
        hint = hint_of(key, meaning_of(key, index), index)
    return f"{owner} has no {name} ({hint})"


def _folded(name: str) -> str:
    return name.replace("_", "").lower()
