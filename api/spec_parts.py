"""What the classes of `bai.spec` share: they hold what a person writes of a spec."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Self,
    TypeVar,
    dataclass_transform,
    overload,
)

from pydantic.fields import FieldInfo

from bai.spec_names import unknown_name
from bai.spec_values import CLASSES, from_plain, plain
from bai.specs.models.base import DocumentModel, SpecModel
from bai.specs.models.shape import shape

Scalar = str | int | float | bool
"""A text, or what is written as one: a value of a parameter or of an environment variable."""

_Item = TypeVar("_Item")


class Table(Generic[_Item]):
    """An attribute that is a dict; any mapping may be given for it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, part: None, owner: type) -> Self: ...

    @overload
    def __get__(self, part: object, owner: type) -> dict[str, _Item]: ...

    def __get__(self, part: object | None, owner: type) -> Self | dict[str, _Item]:
        if part is None:
            return self
        found: dict[str, _Item] = vars(part).setdefault(self._name, {})
        return found

    def __set__(self, part: object, items: Mapping[str, _Item]) -> None:
        vars(part)[self._name] = dict(items or {})


@dataclass_transform(kw_only_default=True)
class Part:
    """A mapping of a spec. Its attributes are the keys, in snake_case, and can be changed.

    What it says is judged when the spec is loaded. Only what no spec could say is refused at once:
    other names, parts of another kind, secrets in plain text.
    """

    _fields: ClassVar[Mapping[str, FieldInfo]] = {}
    """Name of an attribute -> the field of the language's model."""
    _settings: ClassVar[tuple[str, ...]] = ()
    """Attributes that are no keys of the spec."""

    def __init_subclass__(cls, model: type[SpecModel] | None = None) -> None:
        if model:
            CLASSES[model] = cls
            cls._fields = attributes(model)
            # For help() and for completion in notebooks.
            parameters = [_parameter(cls, name) for name in cls._names()]
            cls.__signature__ = Signature(parameters)  # type: ignore[attr-defined]

    def __init__(self, **values: Any) -> None:
        required = (name for name, field in self._fields.items() if field.is_required())
        missing = [name for name in required if values.get(name) is None]
        error = self._refusal(values)
        if missing and not error:
            error = TypeError(f"{type(self).__name__} needs {' and '.join(missing)}")
        if error:
            # A traceback may show variables, and a value may be a secret.
            values.clear()
            raise error
        for name, value in values.items():
            object.__setattr__(self, name, value)

    if not TYPE_CHECKING:
        # To type checkers, a class with this method has attributes of any name.
        def __setattr__(self, name: str, value: Any) -> None:
            if error := self._refusal({name: value}):
                value = None
                raise error
            object.__setattr__(self, name, value)

    @classmethod
    def _names(cls) -> tuple[str, ...]:
        return (*cls._fields, *cls._settings)

    @classmethod
    def _refusal(cls, values: Mapping[str, Any]) -> Exception | None:
        """Return why attributes can't have values; None if they can."""
        for name, value in values.items():
            if name not in cls._names():
                return TypeError(cls._unknown(name))
            if name not in cls._settings:
                try:
                    plain(value, cls._fields[name].annotation, f"{cls.__name__}.{name}")
                except (TypeError, ValueError) as error:
                    # The frames that it came through know the value.
                    return error.with_traceback(None)
        return None

    @classmethod
    def _unknown(cls, name: str) -> str:
        """Return the message about a name that the class does not have."""
        names = {
            each.__name__: each._names() for each in CLASSES.values() if issubclass(each, Part)
        }
        shapes = [shape(field.annotation) for field in cls._fields.values()]
        models = (here.model or shape(here.values).model for here in shapes)
        near = [CLASSES[model].__name__ for model in models if model]
        return unknown_name(name, cls.__name__, names, near)

    def plain(self, where: str) -> dict[str, Any]:
        """Return what it says as plain data for YAML, its keys in the order in which they came.

        Args:
            where: what messages call it.

        Raises:
            TypeError: something in it can't stand in a spec.
            ValueError: it has a number that is not finite, or a secret in plain text.
        """
        found = {}
        for name, value in vars(self).items():
            is_empty = not value and isinstance(getattr(type(self), name, None), Table)
            if name in self._fields and value is not None and not is_empty:
                field = self._fields[name]
                found[field.alias or name] = plain(value, field.annotation, f"{where}.{name}")
        return found

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Self:
        """Make a part of the data of a valid spec."""
        names = {field.alias or name: name for name, field in cls._fields.items()}
        given = {names[key]: value for key, value in data.items()}
        fields = cls._fields
        return cls(**{n: from_plain(value, fields[n].annotation) for n, value in given.items()})

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, Part)
        return self.plain("") == other.plain("")

    # It can be changed.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        # Without values: commands and variables may hold what should be in no log.
        given = [name for name in self._fields if vars(self).get(name) not in (None, {})]
        return f"<{type(self).__name__}: {', '.join(given)}>"


def attributes(model: type[SpecModel]) -> dict[str, FieldInfo]:
    """Return the fields that a class has for a model: a document has its spec's beside metadata."""
    fields = dict(model.model_fields)
    if not issubclass(model, DocumentModel):
        return fields
    found = {"metadata": fields["metadata"]}
    if "spec" in fields and (spec := shape(fields["spec"].annotation).model):
        found |= spec.model_fields
    return found


def _parameter(owner: type[Part], name: str) -> Parameter:
    """Return an attribute as a parameter of the constructor."""
    default = getattr(owner, name, Parameter.empty)
    return Parameter(
        name,
        Parameter.KEYWORD_ONLY,
        default={} if isinstance(default, Table) else default,
        annotation=owner.__annotations__.get(name, Parameter.empty),
    )
