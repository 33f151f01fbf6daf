"""Values that are given for parameters, from outside of a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from bai.specs.findings import Span


class Given(NamedTuple):
    """A value that is given for a parameter."""

    scalar: str
    """As it is written; `Plain` if it has no quotes, and may so be a number."""
    origin: str
    """Where it comes from, for messages: `given with -p`."""
    span: Span | None = None
    """Its place in a file of parameters."""


class GivenValues(NamedTuple):
    """The values that are given for the parameters of specs."""

    by_name: Mapping[str, Given]
    are_all: bool = False
    """Whether there will be no others, so that a parameter without a value is an error."""


NOT_YET: Final = GivenValues({})
"""Where nothing is known of values, as in a lint."""
