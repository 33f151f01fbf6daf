"""Error recovery: a spec without what is wrong in it, so that the rest can be checked as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from bai.specs.document import Document, copied, value_at
from bai.specs.findings import Path, Span
from bai.specs.models.kinds import AnySpec, meant_kind
from bai.specs.toolkits import TOOLKITS
from bai.specs.validation.kinds import API_VERSION
from bai.specs.validation.model_errors import ModelError, validate
from bai.specs.validation.spec_keys import SpecKeys, meant_value
from bai.specs.validation.unknown_keys import MAX_ROUNDS

_JOBS: Final = ("spec", "jobs")
_ALONE: Final = frozenset({"container", "preparation", "priority", "timeLimit"})
"""Keys of a job that nothing else in a spec leans on."""
_ANY: Final = ""
"""Any name, in a place."""
_StandIns = Sequence[tuple[Path, Any]]
_DOCUMENT: Final[_StandIns] = ((("apiVersion",), API_VERSION), (("metadata", "name"), "name"))
_CLUSTER: Final[_StandIns] = (
    (("vmSize",), "SIZE"),
    # As large as the service allows: whatever a job needs has room.
    (("scale",), 100),
    (("mounts", _ANY), {"unmanaged": {"command": "mount"}}),
)
_STAND_INS: Final[Mapping[str, _StandIns]] = {
    "Experiment": (
        *_DOCUMENT,
        (("spec", "parameters", _ANY), ""),
        *((("spec", "clusters", _ANY, *place), value) for place, value in _CLUSTER),
        (("spec", "fileServers", _ANY, "vmSize"), "SIZE"),
        (("spec", "jobs", _ANY, "mounts", _ANY), {"unmanaged": {"command": "mount"}}),
        (("spec", "jobs", _ANY, "environment", _ANY), ""),
        (("spec", "jobs", _ANY, "nodeCount"), 1),
        (("spec", "jobs", _ANY, "logs"), "[logs]"),
        (("spec", "jobs", _ANY, "secrets", _ANY), "env:SECRET"),
    ),
    "Cluster": (*_DOCUMENT, *((("spec", *place), value) for place, value in _CLUSTER)),
    "FileServer": (*_DOCUMENT, (("spec", "vmSize"), "SIZE")),
    "Workspace": _DOCUMENT,
}
"""Kind -> (place, a value there of which no rule has anything to say).

The rest of a document finds what it leans on.
"""


class Recovered(NamedTuple):
    """What is right in a spec."""

    model: AnySpec | None
    """None if something wrong declares what all the rest leans on."""
    unclear: Sequence[ModelError]
    """The errors that keep other parts of the spec out of the model."""


def with_meant_keys(
    errors: Sequence[ModelError], document: Document, keys: SpecKeys
) -> tuple[Document, Sequence[Path]] | None:
    """Return a spec in which misspelt keys have the names that they stand for.

    Args:
        errors: what the models refuse in it.
        document: the spec.
        keys: the meanings of its unknown keys.

    Returns:
        the document, in which the places of what stands below these keys are known, and their
        paths in it; None if there is no such key.
    """
    renamed: dict[Path, Path] = {}
    data = copied(document.data)
    for error in errors:
        *above, key = error.path or (_ANY,)
        holder = value_at(data, above)
        meant = _meant_key(error, keys)
        if meant and isinstance(holder, dict) and key in holder and meant not in holder:
            holder[meant] = meant_value(str(key), holder.pop(key))
            renamed[error.path] = (*above, meant)
    if not renamed:
        return None
    moved = replace(
        document,
        data=data,
        values=_moved(document.values, renamed),
        keys=_moved(document.keys, renamed),
        aliases=_moved(document.aliases, renamed),
    )
    return moved, list(renamed.values())


def _meant_key(error: ModelError, keys: SpecKeys) -> str | None:
    """Return the key that an unknown one stands for; None if it is not clear, or not unknown."""
    return keys.meaning(error.path).only if error.code == "extra_forbidden" else None


def _moved(spans: Mapping[Path, Span], renamed: Mapping[Path, Path]) -> dict[Path, Span]:
    """Return spans by the paths that they have with other names of keys."""
    moved = {}
    for path, span in spans.items():
        for length in range(1, len(path) + 1):
            if new := renamed.get(path[:length]):
                path = (*new, *path[length:])
        moved[path] = span
    return moved


def recover(errors: Sequence[ModelError], document: Document, keys: SpecKeys) -> Recovered:
    """Return a spec without what is wrong in it, as far as that is clear.

    A wrong value is left out where the rest of the spec means the same without it, and else
    replaced by one that nothing can be said about. So is one that is missing.

    Args:
        errors: what the models refuse in it.
        document: the spec, with the names of its misspelt keys that they stand for.
        keys: the meanings of its other unknown keys.
    """
    data = copied(document.data)
    data["kind"] = meant_kind(data)
    # What is wrong with it leaves no doubt.
    errors = [error for error in errors if error.path != ("kind",)]
    unclear: list[ModelError] = []
    for _ in range(MAX_ROUNDS):
        wrong = [error for error in errors if not _is_repaired(error, data, keys)]
        unclear += wrong
        if any(error.path[: len(_JOBS)] != _JOBS or error.path == _JOBS for error in wrong):
            break
        for job in {error.path[len(_JOBS)] for error in wrong}:
            # Nothing leans on a job.
            del value_at(data, _JOBS)[job]
        found = validate(data)
        if isinstance(found, AnySpec):
            return Recovered(found, unclear)
        errors = found
    return Recovered(None, unclear or errors)


def _is_repaired(error: ModelError, data: Any, keys: SpecKeys) -> bool:
    """Repair what is wrong at one place of a spec's data; return False if it is not clear how."""
    path, is_missing = error.path, error.code == "missing"
    while isinstance(value_at(data, path[:-1]), list):
        path = path[:-1]
    *above, key = path or (_ANY,)
    holder = value_at(data, above)
    if not isinstance(holder, dict) or (key in holder) is is_missing:
        # It has gone along with what is around it.
        return True
    is_unknown = error.code == "extra_forbidden"
    # A scalar declares nothing, whatever its key is; a key that is meant is there as well.
    is_idle = is_unknown and (_meant_key(error, keys) or not isinstance(holder[key], (dict, list)))
    if not is_missing and (is_idle or _is_alone(path)):
        del holder[key]
    elif found := _stand_in(path, data["kind"]):
        place, value = found
        value_at(data, place[:-1])[place[-1]] = value
    else:
        return False
    return True


def _stand_in(path: Path, kind: str) -> tuple[Path, Any] | None:
    """Return the place around a path of a kind that something can stand in for, and what."""
    for place, value in _STAND_INS[kind]:
        here = path[: len(place)]
        if len(here) == len(place) and all(
            step in (_ANY, at) for step, at in zip(place, here, strict=True)
        ):
            return here, value
    return None


def _is_alone(path: Path) -> bool:
    """Return whether a value says nothing that another place of a spec leans on."""
    if path[:2] != _JOBS or len(path) < len((*_JOBS, "name", "key")):
        return False
    _, _, _, key, *inside = path
    return key in _ALONE or (key in TOOLKITS and bool(inside))
