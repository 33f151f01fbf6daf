"""The models of the language as trees: from a document's model and a path to what stands there."""

from __future__ import annotations

import types
import typing
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bai.specs.findings import Path
from bai.specs.models.base import SpecModel
from bai.specs.models.secret_forms import SecretForm
from bai.specs.secrets import KeyVaultRef, SecretRef

ANY: Final = "NAME"
"""Stands for the free keys of a mapping, a job's name for one."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a value may be, seen from the outside."""

    model: type[SpecModel] | None
    """The model of a mapping with fixed keys."""
    values: Any = None
    """The annotation of a mapping's values, where its keys are free."""


def shape(annotation: Any) -> Shape:
    """Return the shape behind a field's annotation."""
    annotation = bare(annotation)
    if annotation == SecretRef | KeyVaultRef:
        return Shape(SecretForm)
    if isinstance(annotation, type) and issubclass(annotation, SpecModel):
        return Shape(annotation)
    if typing.get_origin(annotation) is dict:
        return Shape(None, typing.get_args(annotation)[1])
    return Shape(None)


def bare(annotation: Any) -> Any:
    """Strip `Annotated` and `| None`."""
    while True:
        if typing.get_origin(annotation) is typing.Annotated:
            annotation = typing.get_args(annotation)[0]
        elif typing.get_origin(annotation) in (types.UnionType, typing.Union):
            parts = [part for part in typing.get_args(annotation) if part is not type(None)]
            if len(parts) != 1:
                return typing.Union[tuple(parts)]  # noqa: UP007 - there is no other form of it
            annotation = parts[0]
        else:
            return annotation


@cache
def fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the fields of a model by the keys that a spec writes."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def mappings(data: Any, root: type[SpecModel]) -> Iterator[tuple[Path, dict[str, Any], Shape]]:
    """Yield the mappings of a spec that stand where the language expects one.

    Args:
        data: a document's data, valid or not.
        root: the model of the document.
    """
    todo: list[tuple[Path, Any, Shape]] = [((), data, Shape(root))]
    while todo:
        path, value, here = todo.pop()
        if not isinstance(value, dict) or here == Shape(None):
            continue
        yield path, value, here
        todo += [((*path, key), inner, below(here, key)) for key, inner in value.items()]


def model_at(path: Path, root: type[SpecModel]) -> type[SpecModel] | None:
    """Return the model of the mapping at `path` in a document, or None if its keys are free."""
    here = Shape(root)
    for step in path:
        here = below(here, step)
    return here.model


def annotation_at(path: Path, root: type[SpecModel]) -> Any:
    """Return the annotation of the value at `path` in a document; None if there can't be one."""
    annotation: Any = root
    for step in path:
        here = shape(annotation)
        field = fields(here.model).get(str(step)) if here.model else None
        annotation = field.annotation if field else here.values
    return annotation


def below(here: Shape, step: str | int) -> Shape:
    """Return what a key of a mapping, or an index of a list, leads to."""
    if here.model is None:
        return shape(here.values)
    field = fields(here.model).get(str(step))
    return shape(field.annotation) if field else Shape(None)


def homes(key: str, root: type[SpecModel]) -> tuple[tuple[str, ...], ...]:
    """Return the paths of a document's mappings that know `key`, with `ANY` for free keys."""
    return tuple(_homes(root).get(key, ()))


def all_keys(root: type[SpecModel]) -> Collection[str]:
    """Return all keys that a document may have, in any mapping."""
    return _homes(root).keys()


@cache
def _homes(root: type[SpecModel]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}

    def visit(annotation: Any, path: tuple[str, ...]) -> None:
        here = shape(annotation)
        if here.values is not None:
            visit(here.values, (*path, ANY))
        if here.model is not None:
            for name, field in fields(here.model).items():
                found.setdefault(name, []).append(path)
                visit(field.annotation, (*path, name))

    visit(root, ())
    return found
