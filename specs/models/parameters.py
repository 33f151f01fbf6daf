"""Parameters, as a person declares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, NamedTuple, Self

from pydantic import model_validator

from bai.specs.findings import Path
from bai.specs.models.base import Name, SpecModel, short_form
from bai.specs.models.errors import model_error
from bai.specs.models.scalars import SCALAR_SCHEMA, Number, Scalar, Text
from bai.specs.names import nearest
from bai.specs.source.plain_scalar import Plain, kind_of

Type = Literal["integer", "number", "string", "boolean"]

_WORDS: Final = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a string",
    "boolean": "true or false",
}
"""Type -> what a value of it is called."""
_MOST_LISTED: Final = 10
"""Choices that a message lists."""


class WrongValue(NamedTuple):
    """Why a parameter can't have a value: a message without the parameter's name, and a hint."""

    message: str
    hint: str | None = None


class Parameter(SpecModel):
    """A value that stands where the spec says `${parameters.NAME}`: its default, or in full."""

    default: Scalar | None = None
    """Value that the parameter has where none is given; without a default one must be given, with
    `-p NAME=VALUE` for example.
    """
    type: Type | None = None
    """Type of the value; by default that of `default`, `choices`, `min` and `max`."""
    choices: list[Scalar] | None = None
    """Values of which the parameter has one: `[resnet50, vgg16]`, for example."""
    min: Number | None = None
    """Smallest value of a number, 1 for example."""
    max: Number | None = None
    """Largest value of a number, 8 for example."""
    description: Text | None = None
    """What the parameter is for, in words."""

    @property
    def value_type(self) -> Type | None:
        """The type of its values; None where any scalar can be one."""
        if self.type is not None:
            return self.type
        given: list[Any] = [*(self.choices or ()), self.default, self.min, self.max]
        types = {type_of(each) for each in given if each is not None}
        if len(types) > 1:
            return "number" if types == {"integer", "number"} else "string"
        return next(iter(types), None)

    def as_typed(self, scalar: str) -> str:
        """Return a scalar as a value: without quotes it may be a number, unless that is a text."""
        return str(scalar) if self.value_type == "string" else scalar

    def wrong(self, scalar: str) -> WrongValue | None:
        """Return why a scalar can't be the parameter's value; None if it can."""
        wanted = self.value_type
        if wanted and not _is(scalar, wanted):
            hint = None
            if self.type is None and wanted == "integer" and _is(scalar, "number"):
                hint = "declare it with type: number if it can have a fraction"
            return WrongValue(f"expected {_WORDS[wanted]}, found {kind_of(scalar)}", hint)
        if self.choices and _value(self, scalar) not in [_value(self, e) for e in self.choices]:
            shown = [str(choice) for choice in self.choices[:_MOST_LISTED]]
            listed = ", ".join(shown) + (", ..." if len(self.choices) > len(shown) else "")
            near = nearest(scalar, map(str, self.choices))
            hint = f"did you mean {near}?" if near else f"choose one of {listed}"
            return WrongValue(f"{str(scalar)!r} is not among the choices", hint)
        number = _value(self, scalar)
        if isinstance(number, int | float):
            if self.min is not None and number < self.min:
                return WrongValue(f"expected at least {self.min}, found {scalar}")
            if self.max is not None and number > self.max:
                return WrongValue(f"expected at most {self.max}, found {scalar}")
        return None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for message, hint, at in self._contradictions():
            raise model_error("BAI327", message, hint, at)
        return self

    def _contradictions(self) -> Iterator[tuple[str, str | None, Path]]:
        """Yield what does not go together, with a hint and the place below the parameter."""
        numeric = self.value_type in ("integer", "number")
        for bound in ("min", "max"):
            if getattr(self, bound) is not None and not numeric:
                hint = "leave it out, or write a number as the default"
                yield f"{bound} is for numbers, not for a {self.value_type}", hint, (bound,)
        if self.min is not None and self.max is not None and self.min > self.max:
            yield f"min {self.min} is above max {self.max}", None, ("min",)
        alone = self.model_copy(update={"choices": None})
        for index, choice in enumerate(self.choices or ()):
            if found := alone.wrong(choice):
                yield f"choices: {found.message}", found.hint, ("choices", index)
        if self.choices == []:
            yield "there are no choices", "list the values, or leave it out", ("choices",)
        if self.default is not None and (found := self.wrong(self.default)):
            yield f"default: {found.message}", found.hint, ("default",)


def type_of(value: object) -> Type:
    """Return the type of a scalar, of a spec or of Python."""
    match value.value if isinstance(value, Plain) else value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
    return "string"


def _is(scalar: str, wanted: Type) -> bool:
    """Return whether a scalar can be read as a type; unquoted ones can be texts as well."""
    found = type_of(scalar)
    if wanted == "string":
        return found == "string" or isinstance(scalar, Plain)
    return found == wanted or (found, wanted) == ("integer", "number")


def _value(parameter: Parameter, scalar: str) -> str | int | float | bool:
    """Return what two scalars of a parameter have in common if they mean the same."""
    typed = parameter.as_typed(scalar)
    return typed.value if isinstance(typed, Plain) else typed


Parameters = dict[Name, Annotated[Parameter, short_form("default", SCALAR_SCHEMA)]]
"""Name -> parameter."""
