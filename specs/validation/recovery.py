"""A document with its slips mended or left out, so that the rest of it can be checked as well."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from pydantic.alias_generators import to_camel

from bai.specs.document import Document
from bai.specs.findings import Path
from bai.specs.models.job import TOOLKITS
from bai.specs.models.shape import model_at
from bai.specs.validation.kinds import API_VERSION, KIND
from bai.specs.validation.unknown_keys import meant_key

_JOBS: Final = ("spec", "jobs")
_ALONE: Final = frozenset({"container", "preparation", "priority", "timeLimit"})
"""Keys of a job that nothing else in a spec leans on."""
_TOOLKITS: Final = frozenset(map(to_camel, TOOLKITS))
_ANY: Final = ""
"""Any name, in a place."""
_STAND_INS: Final[Sequence[tuple[Path, Any]]] = (
    (("kind",), KIND),
    (("apiVersion",), API_VERSION),
    (("metadata", "name"), "name"),
    (("spec", "clusters", _ANY, "vmSize"), "SIZE"),
    # As large as the service allows: whatever a job needs has room.
    (("spec", "clusters", _ANY, "scale"), 100),
    (("spec", "clusters", _ANY, "mounts", _ANY), {"unmanaged": {"command": "mount"}}),
    (("spec", "fileServers", _ANY, "vmSize"), "SIZE"),
    (("spec", "jobs", _ANY, "mounts", _ANY), {"unmanaged": {"command": "mount"}}),
    (("spec", "jobs", _ANY, "environment", _ANY), ""),
    (("spec", "jobs", _ANY, "nodeCount"), 1),
    (("spec", "jobs", _ANY, "secrets", _ANY), "env:SECRET"),
)
"""(place, a value there of which no rule has anything to say): the rest finds what it leans on."""


class Mended(NamedTuple):
    """What is right in a document."""

    data: Any
    """The document's data; None if something wrong declares what all the rest leans on."""
    is_whole: bool = True
    """Whether all that is right is in it: jobs with something wrong may be missing."""


def mended(data: Any, wrong: Iterable[tuple[Path, str]], document: Document) -> Mended:
    """Return a document's data without something that is wrong in it, as far as that is clear.

    A misspelt key gets the name that it stands for. A wrong value is left out where the rest of
    the spec means the same without it, and else replaced by one that nothing can be said about.

    Args:
        data: the data, mended in part or not at all; it stays as it is.
        wrong: (place, code) of what the models of specs refuse.
        document: where the data is from.
    """
    data = _copy(data)
    is_whole = True
    for path, code in wrong:
        *above, key = path or (_ANY,)
        holder = _at(data, above)
        if not isinstance(holder, dict) or key not in holder:
            # It is missing because it is misspelt, or has gone along with what is around it.
            continue
        if code == "extra_forbidden" and (meant := _meant(path, document)):
            value = holder.pop(key)
            holder.setdefault(meant, value)
        elif _is_alone(path) or (code == "extra_forbidden" and _is_scalar(holder[key])):
            del holder[key]
        elif found := _stand_in(path):
            place, value = found
            _at(data, place[:-1])[place[-1]] = value
        elif path[: len(_JOBS)] == _JOBS and len(path) > len(_JOBS):
            # Nothing leans on a job.
            del _at(data, _JOBS)[path[len(_JOBS)]]
            is_whole = False
        else:
            return Mended(None, is_whole=False)
    return Mended(data, is_whole)


def _is_scalar(value: Any) -> bool:
    """Return whether a value declares nothing, whatever its key is."""
    return not isinstance(value, (dict, list))


def _stand_in(path: Path) -> tuple[Path, Any] | None:
    """Return the place around a path that something can stand in for, and what."""
    for place, value in _STAND_INS:
        here = path[: len(place)]
        if len(here) == len(place) and all(
            step in (_ANY, at) for step, at in zip(place, here, strict=True)
        ):
            return here, value
    return None


def _meant(path: Path, document: Document) -> str | None:
    model = model_at(path[:-1])
    return meant_key(path, model, document) if model else None


def _is_alone(path: Path) -> bool:
    """Return whether a value says nothing that another place of a spec leans on."""
    if path[:2] != _JOBS or len(path) < len((*_JOBS, "name", "key")):
        return False
    _, _, _, key, *inside = path
    return key in _ALONE or (key in _TOOLKITS and bool(inside))


def _at(data: Any, path: Iterable[str | int]) -> Any:
    for step in path:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data


def _copy(value: Any) -> Any:
    """Return a copy whose mappings can be changed one by one; scalars are shared."""
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, list) else value
