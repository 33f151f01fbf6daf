"""How to write a value of a wrong kind: what was written, in the form that its field has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Final

from pydantic import BaseModel

from bai.specs.document import Document
from bai.specs.findings import Path
from bai.specs.models.commands import is_line
from bai.specs.models.job import Container, Input, Output
from bai.specs.models.kinds import root_of
from bai.specs.models.machines import Cluster, FileServer, Image, Scale, User
from bai.specs.models.mount_urls import SCHEMES
from bai.specs.models.mounts import AzureFile, Mount
from bai.specs.models.parameters import Parameter
from bai.specs.models.secret_forms import SecretForm
from bai.specs.models.shape import annotation_at, bare, fields, shape
from bai.specs.models.toolkits import ConfigOrScript, Script
from bai.specs.secret_places import is_secret_place, names_secret

_LONGEST: Final = 60
"""Most characters of an example; a longer one says nothing more."""
_LARGEST: Final = 200
_MOST: Final = 20
"""Characters of a text, and items of a value, of which an example is made."""
_SCALAR_KEYS: Final = frozenset(
    ("command", "commandLine", "id", "maxWallClockTime", "name", "path", "url", "value")
)
"""Keys of other tools' mappings that hold what is a bare text here."""
_ARGUMENTS: Final = frozenset(("args", "masterArgs", "workerArgs", "parameterServerArgs"))
_BARE: Final = (Mount, Image, Container, Input, Output)
"""Models of mappings that a bare text can stand for."""
_BELOW: Final = "write its keys below it, indented"

_PLAIN: Final = re.compile(r"[\w$./~+<=-](?:[^#,\[\]{}:\"'`]|:(?=\S)|(?<=\S)#)*")
"""Texts that mean themselves without quotes, in braces too."""
_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)=(.*)")
_NO_SPACE: Final = re.compile(r"(\w+):(\S.*)")


def form_hint(path: Path, document: Document) -> str | None:
    """Return what to write in place of a value of a wrong kind; None if that is not known.

    Args:
        path: of the value, in a spec.
        document: the spec.
    """
    if not path or path not in document.values:
        return None
    value, root = document.value(path), root_of(document.data)
    annotation = annotation_at(path, root)
    name, here = str(path[-1]), shape(annotation)
    if value is None:
        return _missing_value(path, annotation, annotation_at(path[:-1], root))
    if here.model is SecretForm or is_secret_place(path[:-1]):
        return None
    texts, secret = _texts(value), is_secret_place(path)
    if texts is None or any(map(names_secret, texts)) or (secret and here.values is None):
        # The form alone, without what was written.
        value = None
    if here.model:
        return _mapping_hint(name, here.model, value)
    if here.values is not None:
        return _named_hint(name, here.values, value, secret=secret)
    kind = bare(annotation)
    if kind is str or is_line(kind):
        return _text_hint(name, value)
    if kind is int:
        match value:
            case [str() as only]:
                return _write(name, only)
        return f"write a whole number: {name}: 2"
    if getattr(kind, "__origin__", None) is list:
        return _list_hint(name, value)
    return None


def _are_texts(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _texts(value: Any) -> list[str] | None:
    """Return the texts in a value; None if it is larger than what people write by mistake."""
    if isinstance(value, str):
        return [value] if len(value) <= _LARGEST else None
    if not isinstance(value, (list, dict)) or len(value) > _MOST:
        return None if value else []
    found: list[str] = []
    for item in value if isinstance(value, list) else value.items():
        parts: Iterable[Any] = [item]
        if isinstance(item, tuple):
            parts = item
        elif isinstance(item, dict):
            parts = chain.from_iterable(islice(item.items(), _MOST))
        found += [part[:_LARGEST] for part in parts if isinstance(part, str)]
    return found


def mount_hint(path: Path, document: Document) -> str | None:
    """Return what to write where a mount's kind stands in place of its name; else None."""
    name, value = str(path[-1]), document.value(path)
    if name in SCHEMES and isinstance(value, str) and ":" not in value:
        return f"the key is the mount's own name: {_example('NAME', f'{name}:{value}')}"
    return None


def _missing_value(path: Path, annotation: Any, outer: Any) -> str:
    here, above = shape(annotation), shape(outer)
    if above.values is not None and here.model is None:
        return 'write "" for an empty text'
    if here.model is Parameter:
        return f"write a default behind the colon, or {path[-1]}: {{}} if there is none"
    if here.model is Mount:
        return f"write a volume behind the colon: {path[-1]}: file:DIRECTORY"
    field = fields(above.model).get(str(path[-1])) if above.model else None
    optional = field is not None and not field.is_required()
    what = _BELOW if here.model or here.values is not None else "write a value behind the colon"
    return f"{what}, or leave it out" if optional else what


def _text_hint(name: str, value: Any) -> str | None:
    match value:
        case [*words] if words and _are_texts(words):
            if len(words) == 1:
                return _write(name, words[0])
            if name == "command":
                return _write(name, " ".join(_argument(word) for word in words), "in one line")
        case dict() if name in _ARGUMENTS and _are_texts(value.values()):
            options = (f"{key if key[:1] == '-' else f'--{key}'} {v}" for key, v in value.items())
            return _write(name, " ".join(options), "in one line")
        case dict() if len(value) == 1 and not value.keys().isdisjoint(_SCALAR_KEYS):
            [only] = value.values()
            if isinstance(only, str):
                return _write(name, only)
    return f"write one text: {name}: ..."


def _list_hint(name: str, value: Any) -> str:
    if isinstance(value, str):
        if re.match(r"-[^-\s]", value):
            return "write a space behind each dash: - item"
        return _write(name, [value])
    return f"write a list: {name}: [...]"


def _mapping_hint(name: str, model: type[BaseModel], value: Any) -> str:
    """Return how to write a mapping whose keys are a model's."""
    match value:
        case [dict()]:
            return f"write its keys below {name}: without the dash"
        case [str() | int() as only]:
            value = only
        case [str(), str(), *_] if "command" in fields(model) and _are_texts(value):
            value = " ".join(value)
        case [str() as least, str() as most] if model is Scale:
            return _write(name, {"min": least, "max": most})
    if isinstance(value, str):
        if model is Mount and ":" not in value:
            return f"write a volume: {name}: file:DIRECTORY"
        if model in _BARE:
            return _write(name, value)
        match = _NO_SPACE.fullmatch(value)
        if match and match[1] in fields(model):
            return f"write a space behind the colon: {match[1]}: {match[2]}"[:_LONGEST]
        if keys := _keys(model, value):
            return _write(name, keys)
    if model is Scale:
        return "write a whole number, or {min: 0, max: 4} to follow the jobs"
    needed = [key for key, field in fields(model).items() if field.is_required()]
    return f"{_BELOW}: {', '.join(needed or list(fields(model)))}"


def _keys(model: type[BaseModel], value: str) -> dict[str, str] | None:
    """Return the keys of a model that a bare text stands for; None if that is not clear."""
    if issubclass(model, Script) or "script" in fields(model):
        words = value.split()
        if words[:1] in (["python"], ["python3"]):
            words = words[1:]
        if len(words) > 1 and "args" in fields(model) and words[0].endswith(".py"):
            return {"script": words[0], "args": " ".join(words[1:])}
        is_config = issubclass(model, ConfigOrScript) and not value.endswith(".py")
        return {"config" if is_config else "script": " ".join(words)}
    if model is Scale:
        bounds = re.fullmatch(r"(\d+)\s*(?:-|\.\.|to)\s*(\d+)", value)
        return {"min": bounds[1], "max": bounds[2]} if bounds else None
    if model is AzureFile:
        return {"share": value}
    needed = [key for key, field in fields(model).items() if field.is_required()]
    kind = int if value.isdecimal() else str
    if not needed:
        return None
    annotation = bare(fields(model)[needed[0]].annotation)
    if annotation is not kind and not (kind is str and is_line(annotation)):
        return None
    if model is User:
        needed.append("sshKey")
    return {key: value if key == needed[0] else "..." for key in needed}


def _named_hint(name: str, values: Any, value: Any, *, secret: bool) -> str:
    """Return how to write a mapping whose keys are free names."""
    model = shape(values).model
    if model in (Cluster, FileServer) or name == "jobs":
        return f"write each name as a key below {name}:, without a dash, and its own keys below it"
    found: dict[str, str] = {}
    for key, text in _pairs(value):
        found.setdefault(key, f"env:{key}" if secret else text)
    if found:
        return _write(name, found, "names with their values")
    sample = "env:NAME" if secret else "file:DIRECTORY" if model is Mount else "..."
    texts = value if isinstance(value, list) else [value]
    match texts:
        case [str() as only] if not secret and (model is not None or name == "inputs"):
            sample = only
    return _write(name, {"NAME": sample}, "names with their values")


def _pairs(value: Any) -> Iterator[tuple[str, str]]:
    """Yield the (name, value) that other tools' forms of a mapping hold."""
    for item in value if isinstance(value, list) else [value]:
        match item:
            case str() if match := _ASSIGNMENT.fullmatch(item):
                yield match[1], match[2]
            case (
                {"name": str() as name, **rest}
                | {"id": str() as name, **rest}
                | {"relativeMountPath": str() as name, **rest}
            ):
                text = next((v for v in rest.values() if isinstance(v, str)), "...")
                yield name, "..." if "relativeMountPath" in item else text
            case dict() if len(item) == 1:
                [(name, text)] = item.items()
                yield str(name), text if isinstance(text, str) else "..."


def _write(name: str, value: Any, how: str = "") -> str:
    """Return the sentence that shows a key with its value; without it, if that is long."""
    example = _example(name, value)
    if len(example) > _LONGEST:
        example = f"{name}: ..."
        if isinstance(value, dict):
            example = _example(name, dict.fromkeys(list(value)[:2], "..."))
    return f"write {how}: {example}" if how else f"write {example}"


def _example(name: str, value: Any) -> str:
    match value:
        case dict():
            return f"{name}: {{{', '.join(f'{k}: {_scalar(v)}' for k, v in value.items())}}}"
        case list():
            return f"{name}: [{', '.join(map(_scalar, value))}]"
    return f"{name}: {_scalar(value)}"


def _scalar(value: Any) -> str:
    text = str(value)
    plain = _PLAIN.fullmatch(text) and text == text.strip()
    return text if plain else json.dumps(text, ensure_ascii=False)


def _argument(word: str) -> str:
    return f"'{word}'" if re.search(r"\s", word) and "'" not in word else word
