"""The models of the language as a tree: from a model and a key to what stands there."""

from __future__ import annotations

import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel

from bai.specs.models.experiment import Experiment


@dataclass(frozen=True, slots=True)
class Shape:
    """What a value may be, seen from the outside."""

    model: type[BaseModel] | None
    """The model of a mapping with fixed keys."""
    values: Any = None
    """The annotation of a mapping's values, where its keys are free."""


def shape(annotation: Any) -> Shape:
    """Return the shape behind a field's annotation."""
    annotation = _bare(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return Shape(annotation)
    if typing.get_origin(annotation) is dict:
        return Shape(None, typing.get_args(annotation)[1])
    return Shape(None)


def _bare(annotation: Any) -> Any:
    """Strip `Annotated` and `| None`."""
    while True:
        if typing.get_origin(annotation) is typing.Annotated:
            annotation = typing.get_args(annotation)[0]
        elif typing.get_origin(annotation) in (types.UnionType, typing.Union):
            parts = [part for part in typing.get_args(annotation) if part is not type(None)]
            if len(parts) != 1:
                return annotation
            annotation = parts[0]
        else:
            return annotation


def model_at(path: tuple[str | int, ...]) -> type[BaseModel] | None:
    """Return the model of the mapping at `path` in a spec, or None if its keys are free."""
    here = Shape(Experiment)
    for step in path:
        if here.model is not None:
            fields = {field.alias or name: field for name, field in here.model.model_fields.items()}
            if step not in fields:
                return None
            here = shape(fields[str(step)].annotation)
        elif here.values is not None:
            here = shape(here.values)
        else:
            return None
    return here.model


@cache
def homes(key: str) -> tuple[str, ...]:
    """Return the places of the language that know `key`, as dotted paths below `spec`."""
    found: list[str] = []

    def visit(annotation: Any, path: str, above: tuple[Any, ...]) -> None:
        here = shape(annotation)
        if here.values is not None:
            visit(here.values, f"{path}.NAME", above)
        if here.model is None or here.model in above:
            return
        for name, field in here.model.model_fields.items():
            alias = field.alias or name
            if alias == key:
                found.append(path)
            visit(field.annotation, f"{path}.{alias}" if path else alias, (*above, here.model))

    visit(Experiment, "", ())
    return tuple(found)
