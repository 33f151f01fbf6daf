"""The values of a spec that is written in Python: to the data of a YAML file, and back.

What a value must be comes from the models of the language. Only what no file could hold is refused
here; all else is judged where the file would be, when the spec is loaded.
"""

from __future__ import annotations

import math
import typing
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, Final, Protocol

from bai.specs.models.base import SpecModel
from bai.specs.models.scalars import AS_SCALAR
from bai.specs.models.secret_forms import SecretForm, no_reference
from bai.specs.models.shape import bare, shape
from bai.specs.parameters.references import references, written
from bai.specs.secrets import SOURCES
from bai.specs.source.plain_scalar import Plain


class Reference(str):
    """A reference to a parameter, which can stand for any value: what `parameter` returns."""

    __slots__ = ()


def parameter(name: str) -> Reference:
    """Return the reference to a parameter, for any value: `node_count=parameter("nodes")`.

    In a longer text it is a text as any other: `f"--lr {parameter('lr')}"`.
    """
    return Reference(written(name))


class Written(Protocol):
    """A part of a spec in Python."""

    def plain(self, where: str) -> dict[str, Any]:
        """Return it as plain data; `where` is what messages call it."""

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Written:
        """Make a part of the data of a valid spec."""


CLASSES: Final[dict[type[SpecModel], type[Written]]] = {}
"""Model of the language -> the class of `bai.spec` that is written in its place."""


def plain(value: Any, annotation: Any, where: str) -> Any:
    """Return a value as plain data for YAML.

    Args:
        value: what was written in Python.
        annotation: the model's, of what is expected.
        where: what messages call the place.

    Raises:
        TypeError: it can't stand in a spec, or is a part of another kind.
        ValueError: it is no finite number, or a secret in plain text.
    """
    here = shape(annotation)
    if here.model is not None:
        expected = CLASSES[here.model]
        if isinstance(value, expected):
            return value.plain(where)
        if isinstance(value, Mapping) or type(value) in CLASSES.values():
            raise TypeError(f"{where}: expected a {expected.__name__}, not a {_kind(value)}")
        if here.model is SecretForm and not _is_reference(value):
            found = "plain text" if isinstance(value, str) else f"a {_kind(value)}"
            about = no_reference(found).context or {}
            raise ValueError(f"{where}: {about['message']} ({about['hint']})")
    if here.values is not None and not isinstance(value, Mapping | None):
        raise TypeError(f"{where}: expected a mapping, not a {_kind(value)}")
    match value:
        case str():
            return value if type(value) is Plain else str(value)
        case bool() | None:
            return value
        case Integral():
            return int(value)
        case Real():
            if not math.isfinite(value):
                raise ValueError(f"{where}: expected a finite number, found {float(value)}")
            return float(value)
        case Mapping():
            for key in value:
                if not isinstance(key, str):
                    raise TypeError(f"{where}: a name must be a str, not {key!r}")
            items = value.items()
            return {str(k): plain(v, here.values, f"{where}[{k!r}]") for k, v in items}
        case Sequence() if not isinstance(value, bytes | bytearray):
            inner = _items(annotation)
            return [plain(v, inner, f"{where}[{n}]") for n, v in enumerate(value)]
    raise TypeError(f"{where}: {_kind(value)} can't stand in a spec{_way(value)}")


def _kind(value: object) -> str:
    return type(value).__name__


def _way(value: object) -> str:
    return " (write str(...) of a path)" if hasattr(value, "__fspath__") else ""


def _is_reference(value: Any) -> bool:
    """Return whether a value may say where a secret lives: `env:NAME`, `${parameters.NAME}`."""
    return isinstance(value, str) and (value.partition(":")[0] in SOURCES or "${" in value)


def _items(annotation: Any) -> Any:
    """Return the annotation of the items of a list."""
    found = bare(annotation)
    return typing.get_args(found)[0] if typing.get_origin(found) is list else None


def from_plain(value: Any, annotation: Any) -> Any:
    """Return a value of a valid spec as it is written in Python.

    Args:
        value: data as the reader has it.
        annotation: the model's, of what it is.
    """
    here = shape(annotation)
    if isinstance(value, dict):
        if here.model is not None:
            return CLASSES[here.model].from_plain(value)
        return {str(key): _item(inner, here.values) for key, inner in value.items()}
    if isinstance(value, list):
        return [_item(inner, _items(annotation)) for inner in value]
    if not isinstance(value, str):
        return value
    wanted = bare(annotation)
    kinds = (wanted, *typing.get_args(wanted))
    if isinstance(value, Plain) and not {float, bool, int}.isdisjoint(kinds):
        return value.value
    is_text = here.model is None and AS_SCALAR not in _metadata(annotation)
    return _text(value) if is_text else _scalar(value)


def _item(value: Any, annotation: Any) -> Any:
    """Return an item of a list or a mapping: any scalar can be one."""
    return _scalar(value) if isinstance(value, str) else from_plain(value, annotation)


def _text(text: str) -> str:
    """Return a text of YAML as one of Python."""
    is_reference = [each.end - each.start for each in references(text)] == [len(text)]
    return Reference(text) if is_reference else str(text)


def _scalar(text: str) -> str | int | float | bool:
    """Return the scalar of Python that is written as a text is; if there is none, the text."""
    value = text.value if isinstance(text, Plain) else text
    if isinstance(value, str):
        return _text(value)
    usual = str(value).lower() if isinstance(value, bool) else repr(value)
    # `1e-3` is a number, and stands so in command lines.
    has_exponent = isinstance(value, float) and "e" in text
    return value if usual == text and not has_exponent else text


def _metadata(annotation: Any) -> tuple[Any, ...]:
    """Return what is annotated to a type, also to one of `| None`."""
    inner = [each for part in typing.get_args(annotation) for each in _metadata(part)]
    return (*getattr(annotation, "__metadata__", ()), *inner)
