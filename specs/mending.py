"""A document with its slips mended or left out, so that the rest of it can be checked as well."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pydantic.alias_generators import to_camel

from bai.specs.document import Document
from bai.specs.findings import Path
from bai.specs.models.job import TOOLKITS
from bai.specs.unknown_keys import meant_key
from bai.specs.walk import model_at

_JOBS: Final = ("spec", "jobs")
_ALONE: Final = frozenset({"container", "preparation", "priority", "timeLimit"})
"""Keys of a job that nothing else in a spec leans on."""
_TOOLKITS: Final = frozenset(map(to_camel, TOOLKITS))


def mended(document: Document, wrong: Iterable[tuple[Path, str]]) -> Any:
    """Return a document's data with nothing wrong in it any more, as far as that is clear.

    A misspelt key gets the name that it stands for. A wrong value is left out where the rest of
    the spec means the same without it.

    Args:
        document: the document; it stays as it is.
        wrong: (place, code) of what the models of specs refuse.

    Returns:
        None if something wrong declares what the rest may lean on: a mount, for one.
    """
    data = _copy(document.data)
    for path, code in wrong:
        *above, key = path or ("",)
        holder = _at(data, above)
        if not isinstance(holder, dict) or key not in holder:
            # It is missing because it is misspelt, or has gone along with what is around it.
            continue
        if code == "extra_forbidden" and (meant := _meant(path, document)):
            value = holder.pop(key)
            holder.setdefault(meant, value)
        elif _is_alone(path):
            del holder[key]
        else:
            return None
    return data


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
