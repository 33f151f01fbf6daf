"""What the models of the language refuse in a spec, at paths of its document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from bai.specs.findings import Path
from bai.specs.models.kinds import AnySpec, root_of

_MAX_ERRORS: Final = 1_000
"""Errors of one spec that are looked at: each takes time to explain."""
_KEY: Final = "[key]"
"""The step of pydantic's locations that stands for the key of a mapping."""


@dataclass(frozen=True, slots=True)
class ModelError:
    """One thing that the models refuse."""

    code: str
    """Type of pydantic's error, or the finding's code where a model of ours raised it."""
    path: Path
    """Of the wrong value, or of the missing key."""
    context: Mapping[str, Any]
    """The details of the error."""
    text: str
    """The error in pydantic's words."""
    value: Any
    """The wrong value."""
    is_of_key: bool
    """Whether the key is wrong, and not the value behind it."""


def validate(data: Any) -> AnySpec | Sequence[ModelError]:
    """Return the model that a document's data makes, or what the models refuse in it."""
    try:
        return root_of(data).model_validate(data, by_alias=True, by_name=False)
    except ValidationError as error:
        return [
            ModelError(
                detail["type"],
                _document_path(detail["loc"], data),
                detail.get("ctx", {}),
                detail["msg"],
                detail["input"],
                detail["loc"][-1:] == (_KEY,),
            )
            for detail in error.errors(include_url=False)[:_MAX_ERRORS]
        ]


def _document_path(location: tuple[Any, ...], data: Any) -> Path:
    """Return the part of an error's location that exists in the document, and a missing last key.

    The models' locations also name steps that no document has: the full form that a short one
    stands for, and in brackets `[key]` for a mapping's key and the kind of a value that may be of
    several.
    """
    path: list[str | int] = []
    for index, step in enumerate(location):
        if (isinstance(data, dict) and step in data) or (
            isinstance(data, list) and isinstance(step, int) and step < len(data)
        ):
            data = data[step]
        elif isinstance(step, str) and step.startswith("["):
            continue
        elif isinstance(data, dict) and index == len(location) - 1:
            pass
        else:
            break
        path.append(step)
    return tuple(path)
