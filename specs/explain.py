"""Documentation of the language, from its models."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Literal

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bai.specs.key_examples import example_of
from bai.specs.models.base import ShortForm, field_docstrings
from bai.specs.models.experiment import Experiment
from bai.specs.models.job import Job
from bai.specs.models.kinds import KINDS
from bai.specs.models.machines import Cluster, FileServer
from bai.specs.models.mounts import Mount
from bai.specs.models.parameters import Parameter
from bai.specs.models.scalars import AS_SCALAR
from bai.specs.models.shape import fields, shape
from bai.specs.names import nearest, suggestion
from bai.specs.secrets import SecretRef

ROOTS: Final[dict[str, type[BaseModel]]] = {
    "experiment": Experiment,
    "job": Job,
    "cluster": Cluster,
    "fileServer": FileServer,
    "mount": Mount,
    "parameter": Parameter,
}
"""Where a path may begin, beside the keys of an experiment."""

DOCUMENTS: Final = {f"{kind[0].lower()}{kind[1:]}": kind for kind in KINDS}
"""Where a path into a document of a kind may begin, beside the kind itself -> the kind."""

_MOST_CHOICES: Final = 4
"""Places that a message names."""


_BARE: Final = {"integer": "integer", "array": "list"}
"""Type of a short form in JSON Schema -> its name here."""


@dataclass(frozen=True, slots=True)
class Child:
    """A key of a mapping."""

    name: str
    type: str
    description: str
    required: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """What there is to say of one place of the language."""

    path: str
    type: str
    description: str
    required: bool = False
    children: tuple[Child, ...] = ()
    example: str = ""
    """The key with a value, as lines of a spec that compiles; empty where the path has no key."""


def explain(path: str) -> Explanation:
    """Explain a dotted path: `job.horovod.script`, `experiment.spec.clusters`.

    The key of a mapping with free keys, a job's name for one, may be left out or written, and so
    may the beginning of a path that can only be meant in one way: `horovod.script`.
    Descriptions say the default where there is one.

    Raises:
        LookupError: there is no such place; the message names the nearest.
    """
    first, *steps = path.strip(".").split(".")
    root = _root(first, steps)
    if root is None and first in fields(Experiment):
        first, steps = "experiment", [first, *steps]
        root = Experiment
    elif root is None:
        deeper = _places().get(first, [])
        if len(deeper) != 1:
            raise LookupError(f"there is no {first!r} ({_nearest_place(first)})")
        first, *above = deeper[0].split(".")
        root, steps = ROOTS[first], [*above, *steps]
    found = Explanation(first, _name(root), _about(first, root))
    annotation: Any = root
    for index, step in enumerate(steps):
        here = shape(annotation)
        if here.values is not None:
            annotation = here.values
            here = shape(annotation)
            if here.model is None or step not in fields(here.model):
                # A free key. What is behind it has the words of the mapping around it.
                own = _document(here.model) if here.model else found.description
                place = f"{found.path}.{step}"
                found = Explanation(place, type_words(annotation), own, example=found.example)
                continue
        known = fields(here.model) if here.model else {}
        if here.model is None or step not in known:
            place = ".".join([first, *steps[:index]])
            below = [each for each in _places().get(step, ()) if each.startswith(f"{place}.")]
            hint = _choice(below) if below else suggestion(step, known)
            raise LookupError(f"{place} has no {step!r} ({hint})")
        field, annotation = known[step], known[step].annotation
        text = field_docstrings(here.model).get(step, "")
        example = example_of(here.model, step)
        lines = example.lines if example else ""
        place = f"{found.path}.{step}"
        found = Explanation(place, _words(field), text, field.is_required(), example=lines)
    return _with_children(found, annotation)


def _root(first: str, steps: Sequence[str]) -> type[BaseModel] | None:
    """Return the model of the root that a path begins with; None if it begins with none.

    `cluster` are the keys of a cluster, wherever it stands, and `cluster.metadata` those of the
    document.
    """
    kind = first if first in KINDS else DOCUMENTS.get(first)
    if kind and (first not in ROOTS or (steps and steps[0] in fields(KINDS[kind]))):
        return KINDS[kind]
    return ROOTS.get(first)


def _name(root: type[BaseModel]) -> str:
    return next((kind for kind, model in KINDS.items() if model is root), root.__name__)


def _about(first: str, root: type[BaseModel]) -> str:
    """Return the description of a root; that of a part says that it can be a document as well."""
    kind = DOCUMENTS.get(first)
    if kind is None or root is KINDS[kind]:
        return _document(root)
    return (
        f"{_document(root)} In a document of its own (`kind: {kind}`) these keys stand in `spec`."
    )


@cache
def _places() -> dict[str, list[str]]:
    """Return every key of the language -> the paths to it, each from the nearest root."""
    found: dict[str, list[str]] = {}

    def visit(model: type[BaseModel], path: str) -> None:
        for name, field in fields(model).items():
            place = f"{path}.{name}"
            found.setdefault(name, []).append(place)
            here = shape(field.annotation)
            inner = here.model or shape(here.values).model
            if inner and inner not in ROOTS.values():
                visit(inner, place)

    for root, model in ROOTS.items():
        visit(model, root)
    return found


def _nearest_place(name: str) -> str:
    """Return a sentence that leads from a wrong name to the places that may be meant."""
    tops = [*ROOTS, *fields(Experiment)]
    near = nearest(name, [*tops, *_places()])
    return suggestion(name, tops) if near is None or near in tops else _choice(_places()[near])


def _choice(places: Sequence[str]) -> str:
    *most, last = places
    if len(places) > _MOST_CHOICES:
        most, last = list(places[:_MOST_CHOICES]), "another one"
    return f"did you mean {', '.join(most)} or {last}?" if most else f"did you mean {last}?"


def _with_children(found: Explanation, annotation: Any) -> Explanation:
    here = shape(annotation)
    model = here.model or shape(here.values).model
    if model is None:
        return found
    texts = field_docstrings(model)
    children = tuple(
        Child(name, _words(field), texts.get(name, ""), field.is_required())
        for name, field in fields(model).items()
    )
    text = " ".join(dict.fromkeys(sentences(f"{found.description} {_document(model)}")))
    return replace(found, description=text, children=children)


def sentences(text: str) -> list[str]:
    """Split a description into its sentences."""
    return re.split(r"(?<=[.]) (?=[A-Z])", text.strip())


def _document(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").split())


def _words(field: FieldInfo) -> str:
    return _with_metadata(type_words(field.annotation), field.metadata)


def type_words(annotation: Any) -> str:
    """Return what a person calls a type: `integer`, `low | normal | high`, `map of Mount`."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _with_metadata(type_words(arguments[0]), arguments[1:])
    if origin in (types.UnionType, typing.Union):
        parts = [part for part in arguments if part is not type(None)]
        if SecretRef in parts:
            return "secret reference"
        return " | ".join(map(type_words, parts))
    if origin is Literal:
        return " | ".join(map(str, arguments))
    if origin is dict:
        return f"map of {_grouped(type_words(arguments[1]))}"
    if origin is list:
        return f"list of {_grouped(type_words(arguments[0]))}"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation.__name__
    names = {str: "string", int: "integer", float: "number", bool: "boolean"}
    return names.get(annotation, str(annotation))


def _grouped(words: str) -> str:
    return f"({words})" if " | " in words else words


def _with_metadata(words: str, metadata: Collection[Any]) -> str:
    for extra in metadata:
        if extra is AS_SCALAR:
            words = "string | number | boolean"
        if isinstance(extra, ShortForm):
            return f"{_BARE.get(str(extra.schema['type']), 'string')} | {words}"
    bounds = [each for extra in metadata for each in _parts(extra) if hasattr(each, "ge")]
    return f"{words} from {max(bound.ge for bound in bounds)}" if bounds else words


def _parts(extra: Any) -> Iterable[Any]:
    return extra.metadata if isinstance(extra, FieldInfo) else (extra,)
