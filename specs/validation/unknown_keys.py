"""What the unknown keys of a mapping are meant to be: for specs and for Batch AI's files.

Both languages describe an unknown key (`UnknownKey`) and where their keys belong (`KeyIndex`);
what the key means, its hint and its fix are worked out here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from bai.specs.document import Document
from bai.specs.findings import Fix, Path
from bai.specs.names import beginning_with, ending_in, listed, nearest, nearest_first
from bai.specs.source.edits import rename_key

MAX_ROUNDS: Final = 3
"""How often a document is recovered: what stands behind an unknown key may have more of them."""
_SURE: Final = 0.9
"""How alike a key must be to another one to stand for it wherever else it may belong."""
_ELSEWHERE: Final = 0.85
"""The same for a key of another mapping."""
LIKELY: Final = 0.7
"""The same for one that stands beside it already."""
_MAX_OFFERED: Final = 3
"""Keys or places that a hint names."""
_MOST_LISTED: Final = 5
"""Keys that a hint lists where it is not known which one is meant."""

_Item = TypeVar("_Item")


class KeyIndex(Protocol):
    """Where the keys of a language belong."""

    def all_keys(self) -> Collection[str]:
        """Return all keys of the language, of any mapping."""

    def owners(self, key: str, near: Path) -> Sequence[Path]:
        """Return the paths of the mappings that take a key, those nearest to a path."""

    def in_words(self, owner: Path) -> str:
        """Return the place of such a mapping for a message."""

    def rival(self, owner: Path) -> str | None:
        """Return the toolkit of a job that has another one than such a mapping; else None."""


@dataclass(frozen=True, slots=True)
class UnknownKey:
    """A key that its mapping does not take."""

    path: Path
    valid: Sequence[str]
    """The keys that the mapping takes."""
    present: Collection[str] = ()
    """The keys that stand in the mapping."""
    alias: str | None = None
    """The key that another tool, or another form of file, calls so."""
    instead: tuple[str, str] | None = None
    """The key that the mapping takes in its place though it has another value, and the hint."""
    is_obsolete: bool = False
    """Whether it is known to have no meaning any more, here or elsewhere."""
    related: Sequence[str] = ()
    """Keys that it may be about though none is called alike, each with its place in words."""
    explained_by: str | None = None
    """The command that lists the keys that the mapping takes."""

    @property
    def name(self) -> str:
        """The key itself."""
        return str(self.path[-1])


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an unknown key may be meant to be. All is empty if that is unknown."""

    beside: tuple[str, ...] = ()
    """Keys of the same mapping, the likeliest first."""
    instead: tuple[str, str] | None = None
    """As in `UnknownKey`."""
    elsewhere: str | None = None
    """A key of other mappings."""
    owners: tuple[Path, ...] = ()
    """The paths of these mappings: those that fit the job's toolkit, if there are any."""
    rival: str | None = None
    """The job's toolkit, if there are none."""

    @property
    def only(self) -> str | None:
        """The key of the same mapping, if it can only be one."""
        return self.beside[0] if len(self.beside) == 1 else None


def meaning_of(key: UnknownKey, index: KeyIndex) -> Meaning:
    """Return what an unknown key may be meant to be."""
    if key.alias and key.alias in key.valid:
        return Meaning((key.alias,))
    if near := nearest(key.name, key.valid, _SURE):
        return Meaning((near,))
    if key.instead:
        return Meaning(instead=key.instead)
    if not key.is_obsolete and (found := ending_in(key.alias or key.name, key.valid)):
        return Meaning(tuple(found))
    for other in (key.name, key.alias, nearest(key.name, index.all_keys(), _ELSEWHERE)):
        if other and (owners := index.owners(other, key.path[:-1])):
            if other in key.valid and not key.is_obsolete:
                return Meaning((other,))
            fitting = tuple(owner for owner in owners if index.rival(owner) is None)
            rival = None if fitting else index.rival(owners[0])
            return Meaning(elsewhere=other, owners=fitting or tuple(owners), rival=rival)
    return Meaning() if key.is_obsolete or key.related else Meaning(tuple(_similar(key)))


def stood_for(keys: Iterable[str], valid: Collection[str], aliases: Mapping[str, str]) -> list[str]:
    """Return the valid keys that keys are, or stand for wherever else they may belong."""
    found = (key if key in valid else nearest(aliases.get(key, key), valid, _SURE) for key in keys)
    return [each for each in found if each]


def _similar(key: UnknownKey) -> list[str]:
    """Return the valid keys that merely look a bit like an unknown one."""
    near = nearest(key.name, key.valid)
    if near and near in key.present:
        # One that is there already is hardly meant.
        near = nearest(key.name, (near,), LIKELY)
    return [near] if near else beginning_with(key.name, key.valid)


def hint_of(key: UnknownKey, meaning: Meaning, index: KeyIndex) -> str:
    """Return what to do about an unknown key."""
    if meaning.beside:
        first = meaning.beside[0]
        if len(meaning.beside) > 1:
            return f"did you mean {' or '.join(meaning.beside[:_MAX_OFFERED])}?"
        if first in key.present:
            return f"did you mean {first}? It is there as well: keep one of them"
        return f"its name here is {first}" if first == key.alias else f"did you mean {first}?"
    if meaning.instead:
        return meaning.instead[1]
    if meaning.elsewhere:
        return _hint_of_other(key, meaning.elsewhere, meaning, index)
    if key.related:
        return f"did you mean {' or '.join(key.related)}?"
    return _fitting(key)


def _fitting(key: UnknownKey) -> str:
    """Return a hint that lists valid keys: all of a few, of many those that fit best."""
    if len(key.valid) <= _MOST_LISTED:
        return listed(key.valid)
    present = [each for each in key.valid if each not in key.present]
    best_ones = nearest_first(key.name, present or key.valid, _MOST_LISTED)
    if key.explained_by:
        return f"{listed(best_ones)}; `{key.explained_by}` lists all {len(key.valid)}"
    return f"{listed(best_ones)} and {len(key.valid) - len(best_ones)} others"


def _hint_of_other(key: UnknownKey, other: str, meaning: Meaning, index: KeyIndex) -> str:
    """Return what to do about a key that belongs in another mapping."""
    is_sure = other in (key.name, key.alias)
    if meaning.rival:
        *most, last = [str(owner[-1]) for owner in meaning.owners[:_MAX_OFFERED]]
        if len(meaning.owners) > _MAX_OFFERED:
            most, last = [*most, last], "others"
        toolkits = f"{', '.join(most)} and {last}" if most else last
        why = f"is for {toolkits}, and the job's toolkit is {meaning.rival}"
        if is_sure:
            return f"leave it out: {other} {why}"
        return f"did you mean {other}? It {why}: leave it out"
    where = " or ".join(index.in_words(owner) for owner in meaning.owners[:_MAX_OFFERED])
    if not is_sure:
        return f"did you mean {other}, in {where}?"
    if other != key.name:
        return f"its name is {other}, and it belongs in {where}"
    return f"it belongs in {where}"


def renaming(
    document: Document,
    path: Path,
    meant: str | None,
    valid: Collection[str],
    meaning: Callable[[str], str | None],
) -> Fix | None:
    """Return the fix that gives an unknown key the name that it can only mean; None if in doubt.

    Args:
        document: where it stands.
        path: the key's.
        meant: the key that is meant, if that is sure.
        valid: the keys that the mapping takes.
        meaning: returns what another unknown key of the mapping may be meant to be.
    """
    if meant is None:
        return None
    others = (key for key in document.value(path[:-1]) if key != path[-1] and key not in valid)
    if any(meaning(key) == meant for key in others):
        # Only the author knows which of them it is.
        return None
    return rename_key(document, path, meant)


def best(items: Iterable[_Item], score: Callable[[_Item], tuple[int, ...]]) -> list[_Item]:
    """Return the items with the highest score, in their order."""
    scored = [(score(item), item) for item in items]
    highest = max((score for score, _ in scored), default=())
    return [item for score, item in scored if score == highest]
