"""The values that the parameters of a spec have: those that are given, else their defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from bai.specs.document import Document
from bai.specs.models.parameters import Parameter
from bai.specs.parameters.records import Given, GivenValues
from bai.specs.source.plain_scalar import Plain


class Value(NamedTuple):
    """The value of a parameter of a spec."""

    scalar: str
    """In the parameter's type: `Plain` may be a number."""
    is_known: bool = True
    """Otherwise it stands in for a value that must still be given."""
    origin: str = "its default"
    """Where it comes from, for messages."""


class Parameters(NamedTuple):
    """The parameters of a spec, with their values."""

    declared: Mapping[str, Parameter | None]
    """Name -> parameter; None for one with errors."""
    values: Mapping[str, Value]
    """Name -> value, of all that are declared."""
    given: GivenValues
    """What was given from outside of the spec."""

    @classmethod
    def of(cls, document: Document, given: GivenValues) -> Parameters:
        """Return the parameters that a spec declares, with given values or else their defaults."""
        found = declared(document)
        return cls(found, _values_of(found, given.by_name), given)


_STAND_INS: Final = {"integer": Plain("1"), "number": Plain("1"), "boolean": Plain("true")}
_TEXT: Final = Plain("VALUE")


def declared(document: Document) -> dict[str, Parameter | None]:
    """Return the parameters that a spec declares by name; None for one with errors."""
    spec = document.data.get("spec") if isinstance(document.data, dict) else None
    found = spec.get("parameters") if isinstance(spec, dict) else None
    return {name: _read(each) for name, each in found.items()} if isinstance(found, dict) else {}


def _read(data: Any) -> Parameter | None:
    try:
        return Parameter.model_validate(
            {"default": data} if isinstance(data, str) else data, by_alias=True, by_name=False
        )
    except ValidationError:
        # The models report it with all else that is wrong in the spec.
        return None


def _values_of(
    parameters: Mapping[str, Parameter | None], given: Mapping[str, Given]
) -> dict[str, Value]:
    """Return the values of parameters.

    A given value that a parameter can't have counts as none.

    Args:
        parameters: as `declared` returns them.
        given: the given values by the parameters' names.
    """
    found = {}
    for name, parameter in parameters.items():
        if parameter is None:
            found[name] = Value(_TEXT, is_known=False)
        elif (own := given.get(name)) and not parameter.wrong(own.scalar):
            found[name] = Value(parameter.as_typed(own.scalar), origin=own.origin)
        elif parameter.default is not None and own is None:
            found[name] = Value(parameter.as_typed(parameter.default))
        else:
            found[name] = Value(_stand_in(parameter), is_known=False)
    return found


def _stand_in(parameter: Parameter) -> str:
    """Return a value that a parameter could have."""
    for likely in (parameter.default, *(parameter.choices or ()), parameter.min, parameter.max):
        if likely is not None:
            return parameter.as_typed(likely if isinstance(likely, str) else Plain(likely))
    return _STAND_INS.get(parameter.value_type or "string", _TEXT)
