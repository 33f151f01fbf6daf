"""References to parameters in texts: `${parameters.NAME}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from bai.specs.document import Document
from bai.specs.findings import Path

GROUP: Final = "parameters"
DECLARATIONS: Final[Path] = ("spec", GROUP)
"""The place of the parameters of a spec."""
_REFERENCE: Final = re.compile(
    r"(?<![\\$])\$\{(parameters|[Pp]arameters?|PARAMETERS?|params?)\.([^{}]*)\}"
)
"""With the names of the group that people may write by mistake."""


class Reference(NamedTuple):
    """A reference in a text."""

    start: int
    end: int
    group: str
    """`parameters`, or what was written in its place."""
    name: str
    """Name of the parameter."""

    @property
    def is_right(self) -> bool:
        """Whether its group is spelt as it must be."""
        return self.group == GROUP


def references(text: str) -> list[Reference]:
    """Return the references in a text, those with a misspelt group included."""
    if "${" not in text:
        return []
    return [Reference(*match.span(), *match.groups()) for match in _REFERENCE.finditer(text)]


def written(name: str) -> str:
    """Return the reference to a parameter."""
    return f"${{{GROUP}.{name}}}"


def may_have_parameters(document: Document) -> bool:
    """Return whether a document may declare parameters or refer to some."""
    # A text may hide the word behind escapes. A spec that is being imported has no text.
    text = document.text
    return "param" in text.lower() or "\\" in text or not text


def texts_below(data: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Iterate over (path, text) of the scalars in a part of a spec."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from texts_below(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from texts_below(value, (*path, index))
    elif isinstance(data, str):
        yield path, data
