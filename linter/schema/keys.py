"""What the unknown keys of a Batch AI file are meant to be, and where."""

from __future__ import annotations

from typing import Final

from bai.compiler.batchai.other_keys import ALIASES, ALIASES_IN, ANSWERED, COMMANDS, FORMER, RENAMED
from bai.linter.resource_view import ResourceView
from bai.linter.schema.homes import all_keys, best_homes, holder_of, homes, stands
from bai.schemas.errors import SchemaError
from bai.schemas.validators import SchemaKind
from bai.specs.findings import Path
from bai.specs.names import beginning_with, ending_in, nearest

SCRIPT: Final = "pythonScriptFilePath"
"""What most toolkits run."""
_FILES: Final[dict[SchemaKind, str]] = {
    "job": "job file",
    "cluster": "cluster file",
    "fileServer": "file server file",
}
_SURE: Final = 0.9
"""How alike a key must be to another one to stand for it wherever else it may belong."""
_ELSEWHERE: Final = 0.85
"""The same for a key of another mapping."""


def meant_keys(kind: SchemaKind, error: SchemaError) -> list[str]:
    """Return the valid keys beside it that an unknown key may stand for, one as a rule."""
    name = str(error.path[-1])
    if is_command(error):
        return []
    if known := other_name(error):
        return [known]
    if near := nearest(name, error.valid, cutoff=_SURE):
        return [near]
    if _is_of_no_use(name):
        return []
    if found := ending_in(name, error.valid):
        return found
    elsewhere = key_elsewhere(kind, name)
    if elsewhere in error.valid:
        return [elsewhere]
    if elsewhere:
        return []
    near = nearest(name, error.valid)
    return [near] if near else beginning_with(name, error.valid)


def other_name(error: SchemaError) -> str | None:
    """Return the valid key that an unknown one is called here; None if it is none of those."""
    name, holder = str(error.path[-1]), holder_of(error.path[:-1])
    aliases = ALIASES_IN.get(str(holder[-1]), {}) if holder else {}
    for known in (RENAMED, aliases, ALIASES):
        if known.get(name) in error.valid:
            return known[name]
    return None


def is_command(error: SchemaError) -> bool:
    """Return whether an unknown key is that of a command line where a script belongs."""
    return error.path[-1] in COMMANDS and SCRIPT in error.valid


def key_elsewhere(kind: SchemaKind, name: str) -> str | None:
    """Return the key of any mapping that `name` is, or nearly is; None if there is none."""
    return nearest(name, all_keys(kind), cutoff=_ELSEWHERE)


def other_file(kind: SchemaKind, name: str) -> str | None:
    """Return what file the key belongs in that this one's schema does not know, in words."""
    for other, words in _FILES.items():
        if other != kind and ("properties",) in homes(other, name):
            return words
    return None


def meant_path(kind: SchemaKind, error: SchemaError, resource: ResourceView) -> Path | None:
    """Return where an unknown key is meant to stand, and as what; None if that is not clear.

    Args:
        kind: what the file is.
        error: says that the key is unknown.
        resource: the file.
    """
    name, here = str(error.path[-1]), error.path[:-1]
    if is_command(error):
        return None
    if meant := meant_keys(kind, error):
        if len(meant) > 1:
            return None
        path: Path = (*here, *meant)
    else:
        key = None if _is_of_no_use(name) else key_elsewhere(kind, name)
        found = best_homes(kind, key, here, resource) if key else []
        if key is None or len(found) != 1 or (home := _among(found[0], here)) is None:
            return None
        if not (stands(resource.wire, home) or home[: len(here)] == here):
            # What would be made beside it may exclude what is there.
            return None
        path = (*home, key)
    return None if stands(resource.wire, path) else path


def _is_of_no_use(name: str) -> bool:
    """Return whether the service takes a key nowhere, so that nothing leans on it."""
    return name in FORMER or name in ANSWERED


def _among(home: Path, here: Path) -> Path | None:
    """Return the path of a home of keys, in the same items of lists as `here`.

    None if it is in another list: nobody knows in which of its items.
    """
    found: list[str | int] = []
    same = True
    for index, step in enumerate(home):
        same = same and index < len(here) and (here[index] == step or isinstance(step, int))
        if isinstance(step, int) and not same:
            return None
        found.append(here[index] if same else step)
    return tuple(found)
