"""The unknown keys of a Batch AI file, explained by its schema."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, cached_property
from typing import Any, Final

from bai.compiler.batchai.other_keys import (
    ALIASES,
    ALIASES_IN,
    ANSWERED,
    COMMANDS,
    FORMER,
    OTHER_VALUES,
    RENAMED,
)
from bai.linter.resource_view import ResourceView
from bai.schemas.errors import SchemaError
from bai.schemas.validators import SchemaKind, schema
from bai.specs.document import MISSING, Document, value_at
from bai.specs.findings import Fix, Path
from bai.specs.names import evident
from bai.specs.source.plain_scalar import resolved
from bai.specs.validation.unknown_keys import (
    Meaning,
    UnknownKey,
    best,
    hint_of,
    meaning_of,
    renaming,
    stood_for,
)

_SCRIPT: Final = "pythonScriptFilePath"
"""What most toolkits run."""
_TAKES_A_SCRIPT: Final = (
    f"takes a {_SCRIPT} and commandLineArgs; "
    "a command line belongs in customToolkitSettings or customMpiSettings"
)
_FILES: Final[dict[SchemaKind, str]] = {
    "job": "job file",
    "cluster": "cluster file",
    "fileServer": "file server file",
}


def without_indexes(path: Path) -> Path:
    """Return a path without the indexes of lists."""
    return tuple(step for step in path if not isinstance(step, int))


class SchemaKeys:
    """The likely meanings of the unknown keys of one of Batch AI's files."""

    def __init__(self, kind: SchemaKind, resource: ResourceView) -> None:
        """Hold a file, valid or not."""
        self._kind = kind
        self._resource = resource

    def all_keys(self) -> Collection[str]:
        """Return all keys of such files."""
        return _homes(self._kind).keys()

    def owners(self, key: str, near: Path) -> Sequence[Path]:
        """Return the paths of the mappings that take a key, those nearest to a path.

        Those that the file has come before those that it lacks.
        """
        here = without_indexes(near)

        def score(home: Path) -> tuple[int, int]:
            shared, path = 0, without_indexes(home)
            while shared < min(len(path), len(here)) and path[shared] == here[shared]:
                shared += 1
            return int(self._stands(home)), shared

        return best(_homes(self._kind).get(key, ()), score)

    def in_words(self, owner: Path) -> str:
        """Return the place of a mapping for a message."""
        return ".".join(map(str, without_indexes(owner))) or "the top level"

    def rival(self, owner: Path) -> str | None:
        """Return the toolkit of a job that has another one than a mapping; else None."""
        toolkits = _toolkit_keys(self._kind)
        if owner[:1] != ("properties",) or not toolkits.issuperset(owner[1:2]) or not owner[1:2]:
            return None
        given = self._toolkits
        return None if not given or owner[1] in given else given[0]

    @cached_property
    def _toolkits(self) -> Sequence[str]:
        """The toolkits of a job, misspelt or not."""
        given = self._resource.mapping("properties")
        return stood_for(given, _toolkit_keys(self._kind), ALIASES)

    def meaning(self, error: SchemaError) -> Meaning:
        """Return what an unknown key may be meant to be."""
        return meaning_of(self._unknown(error), self)

    def hint(self, error: SchemaError) -> str:
        """Return what to do about an unknown key."""
        meaning, name = self.meaning(error), str(error.path[-1])
        if meaning == Meaning():
            for kind, file in _FILES.items():
                if kind != self._kind and ("properties",) in _homes(kind).get(name, ()):
                    return f"it belongs in a {file}"
        return hint_of(self._unknown(error), meaning, self)

    def fix(self, error: SchemaError, document: Document, path: Path) -> Fix | None:
        """Return the fix of an unknown key that can only mean one other.

        Args:
            error: says that the key is unknown.
            document: the file.
            path: of the key in the file.
        """
        if error.path[-1] in RENAMED and not isinstance(resolved(document.value(path)), str):
            # In the api-version with this name, the values were numbers.
            return None
        meant = _sure_meaning(error.path, error.valid)
        return renaming(
            document,
            path,
            meant,
            error.valid,
            lambda other: _sure_meaning((*error.path[:-1], other), error.valid),
        )

    def places(self, error: SchemaError) -> set[Path]:
        """Return the places, without indexes, at which an unknown key may be meant to stand."""
        meaning, here = self.meaning(error), without_indexes(error.path[:-1])
        if meaning.rival:
            return set()
        if meaning.elsewhere:
            owners = _homes(self._kind).get(meaning.elsewhere, ())
            return {(*without_indexes(owner), meaning.elsewhere) for owner in owners}
        instead = meaning.instead[:1] if meaning.instead else ()
        return {(*here, key) for key in (*meaning.beside, *instead)}

    def target(self, error: SchemaError) -> Path | None:
        """Return the path that an unknown key should have; None if that is not clear."""
        meaning, here = self.meaning(error), error.path[:-1]
        if meaning.only:
            path: Path = (*here, meaning.only)
        elif (
            meaning.elsewhere
            and len(meaning.owners) == 1
            and not (meaning.rival or _is_obsolete(error))
        ):
            owner = _in_same_items(meaning.owners[0], here)
            if owner is None or not (self._stands(owner) or owner[: len(here)] == here):
                # A new mapping might exclude one that is there.
                return None
            path = (*owner, meaning.elsewhere)
        else:
            return None
        return None if self._stands(path) else path

    def _unknown(self, error: SchemaError) -> UnknownKey:
        here = error.path[:-1]
        is_command = error.path[-1] in COMMANDS and _SCRIPT in error.valid
        return UnknownKey(
            error.path,
            error.valid,
            self._resource.mapping(*here).keys(),
            _alias(error.path, error.valid),
            (_SCRIPT, f"{here[-1]} {_TAKES_A_SCRIPT}") if is_command else None,
            _is_obsolete(error),
        )

    def _stands(self, path: Path) -> bool:
        """Return whether there is a value at a path; None counts as one."""
        return value_at(self._resource.wire, path, MISSING) is not MISSING


@cache
def _toolkit_keys(kind: SchemaKind) -> frozenset[str]:
    """Return the keys below `properties` of which a file has exactly one: a job's toolkits."""
    choices = schema(kind, "source")["properties"]["properties"].get("oneOf", ())
    return frozenset(key for choice in choices for key in choice["required"])


@cache
def _homes(kind: SchemaKind) -> dict[str, tuple[Path, ...]]:
    """Return key -> the paths of the mappings in which a schema knows it.

    The keys are all that it knows in any mapping; 0 in a path is any item of a list.
    """
    data = schema(kind, "source")
    found: dict[str, tuple[Path, ...]] = {}

    def visit(part: Any, path: Path) -> None:
        # No definition of these schemas contains itself.
        if reference := part.get("$ref"):
            part = data["definitions"][reference.rsplit("/", 1)[-1]]
        for branch in part.get("oneOf", ()):
            visit(branch, path)
        if isinstance(part.get("items"), dict):
            visit(part["items"], (*path, 0))
        for name, inner in part.get("properties", {}).items():
            found[name] = (*found.get(name, ()), path)
            visit(inner, (*path, name))

    visit(data, ())
    return found


def _alias(path: Path, valid: Collection[str]) -> str | None:
    """Return the valid key for a known alias at the end of a path, or None."""
    name, holder = str(path[-1]), without_indexes(path[:-1])
    aliases = ALIASES_IN.get(str(holder[-1]), {}) if holder else {}
    for known in (RENAMED, aliases, ALIASES):
        if known.get(name) in valid:
            return known[name]
    return None


def _sure_meaning(path: Path, valid: Collection[str]) -> str | None:
    """Return the valid key that an unknown one certainly means, with the same value; or None."""
    name = str(path[-1])
    alias = None if name in OTHER_VALUES else _alias(path, valid)
    return alias or evident(name, valid)


def _is_obsolete(error: SchemaError) -> bool:
    """Return whether the service takes a key nowhere, so that no other check depends on it."""
    return error.path[-1] in FORMER or error.path[-1] in ANSWERED


def _in_same_items(owner: Path, here: Path) -> Path | None:
    """Return the path of a mapping in the same items of lists as `here`.

    None if it is in another list, as the item is unknown then.
    """
    found: list[str | int] = []
    same = True
    for index, step in enumerate(owner):
        same = same and index < len(here) and (here[index] == step or isinstance(step, int))
        if isinstance(step, int) and not same:
            return None
        found.append(here[index] if same else step)
    return tuple(found)
