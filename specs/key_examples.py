"""Examples of the language's keys, cut from the specs in `examples/`, which the tests compile."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import yaml
from pydantic import BaseModel

from bai.specs.models.kinds import root_of
from bai.specs.models.shape import fields, shape

_FOLDER: Final = "examples"
_LONGEST: Final = 50
"""Characters of a value in one line, if there is a choice."""
_BLOCKS: Final = ("|", ">")
_FLOW: Final = re.compile(r"[,\[\]{}\n]")
"""What a plain scalar can't have inside braces."""


class KeyExample(NamedTuple):
    """A key with a value, from a spec that compiles."""

    value: str
    """The value in one line."""
    lines: str
    """The key and the value as they stand in the spec, moved to the left margin."""


def example_of(model: type[BaseModel], key: str) -> KeyExample | None:
    """Return the first short example of a key of a model, or else the shortest; None without one.

    Keys that a model inherits have the examples of the models above it as well.
    """
    known = _examples()
    found = [each for above in model.__mro__ for each in known.get((above, key), ())]
    short = (each for each in found if len(each.value) <= _LONGEST)
    return next(short, min(found, key=lambda each: len(each.value), default=None))


@cache
def _examples() -> Mapping[tuple[type[BaseModel], str], Sequence[KeyExample]]:
    """Return model and key -> the examples that the specs have of it, in order."""
    found: dict[tuple[type[BaseModel], str], list[KeyExample]] = defaultdict(list)
    for text in _specs():
        # The loader in C is ten times as fast.
        for document in yaml.compose_all(text, yaml.CSafeLoader):
            data = yaml.SafeLoader("").construct_document(document)
            for model, key, example in _below(document, root_of(data), text):
                found[model, key].append(example)
    return found


def _specs() -> Iterator[str]:
    folder = files(__package__) / _FOLDER
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        yield file.read_text("utf-8")


def _below(
    node: yaml.Node, annotation: Any, text: str
) -> Iterator[tuple[type[BaseModel], str, KeyExample]]:
    """Iterate over the keys of the language in a value: model, key and example."""
    here = shape(annotation)
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        inner = here.values
        if here.model and key.value in fields(here.model):
            inner = fields(here.model)[key.value].annotation
            yield here.model, key.value, KeyExample(_flow(value, text), _lines(key, value, text))
        yield from _below(value, inner, text)


def _flow(node: yaml.Node, text: str, *, inside: bool = False) -> str:
    """Return a value in one line, with its scalars as they are written."""
    match node:
        case yaml.MappingNode():
            pairs = ((_flow(k, text), _flow(v, text, inside=True)) for k, v in node.value)
            return f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"
        case yaml.SequenceNode():
            return f"[{', '.join(_flow(item, text, inside=True) for item in node.value)}]"
    written = text[node.start_mark.index : node.end_mark.index]
    style = getattr(node, "style", None)
    unquoted = style is None and inside and _FLOW.search(written)
    return json.dumps(node.value, ensure_ascii=False) if style in _BLOCKS or unquoted else written


def _lines(key: yaml.Node, value: yaml.Node, text: str) -> str:
    """Return a key and its value as they are written, without the indent of the key."""
    written = text[key.start_mark.index : value.end_mark.index].rstrip()
    return written.replace("\n" + " " * key.start_mark.column, "\n")
