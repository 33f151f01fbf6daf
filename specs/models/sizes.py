"""Sizes: a number with a unit, `8g` for example."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Final

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from bai.specs.models.errors import model_error
from bai.specs.models.scalars import AS_TEXT

_UNITS: Final = "bkmgt"
"""The units, each 1,024 of the one before."""
_SIZE: Final = re.compile(rf"(0|[1-9][0-9]{{0,17}})([{_UNITS}])")
_MEANT: Final = re.compile(
    rf"([0-9]{{1,18}}(?:\.[0-9]{{1,6}})?)\s?(?:([{_UNITS}])(?:i?b)?|)", re.IGNORECASE
)
"""What other tools take for a size as well."""


def is_size(text: str) -> bool:
    """Return whether a text is a size as specs have it."""
    return _SIZE.fullmatch(text) is not None


def usual_size(text: str, unit: str = "b") -> str | None:
    """Return a size as a spec has it: with the largest unit of which it is a whole number.

    Args:
        text: the size in any form.
        unit: that of a number alone.

    Returns:
        The size; None if the text is none.
    """
    match = _MEANT.fullmatch(text.strip())
    if match is None:
        return None
    power = _UNITS.index((match[2] or unit).lower())
    size = Fraction(match[1]) * 1024**power
    if size.denominator != 1:
        return None
    number = size.numerator
    power = 0
    while number and number % 1024 == 0 and power < len(_UNITS) - 1:
        number //= 1024
        power += 1
    return f"{number}{_UNITS[power]}"


def gigabytes(size: str) -> int | None:
    """Return how many GB a size of a spec is; None if that is no whole number."""
    number, unit = int(size[:-1]), size[-1]
    total = number * 1024 ** _UNITS.index(unit)
    return total // 1024**3 if total % 1024**3 == 0 else None


@dataclass(frozen=True)
class _Size:
    """Reads a number with a unit."""

    of_disk: bool = False
    """Whether Azure takes it as a number of GB."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._checked, handler(source))

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        units = "gt" if self.of_disk else _UNITS
        return {"type": "string", "pattern": f"^[1-9][0-9]*[{units}]$"}

    def _checked(self, text: str) -> str:
        if not is_size(text):
            raise self._refusal(text)
        if self.of_disk and not gigabytes(text):
            hint = "write a whole number of g or t: 256g, for example"
            raise model_error("BAI303", f"{text} is no size of a disk", hint)
        return text

    def _refusal(self, text: str) -> PydanticCustomError:
        meant = usual_size(text, "g" if self.of_disk else "b")
        if self.of_disk and meant and not gigabytes(meant):
            meant = None
        units = "g or t" if self.of_disk else "b, k, m, g or t"
        hint = f"write {meant}" if meant else f"write a whole number and {units}: 8g, for example"
        return model_error("BAI322", f"{text!r} is no size", hint, meant=meant)


MemorySize = Annotated[str, AS_TEXT, _Size()]
"""A size of memory."""
DiskSize = Annotated[str, AS_TEXT, _Size(of_disk=True)]
"""A size of a disk: a whole number of GB."""
