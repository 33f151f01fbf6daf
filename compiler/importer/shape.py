"""Whether a file has the shape of a job, a cluster or a file server, in words and with places."""

from __future__ import annotations

import re
from typing import Any, Final

from pydantic import ValidationError

from bai.compiler.importer.notes import Notes, dotted
from bai.compiler.resources.base import WireModel
from bai.specs.findings import Path
from bai.specs.names import nearest
from bai.specs.source.plain_scalar import kind_of

_EXPECTED: Final = {
    "string_type": "a string",
    "list_type": "a list",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "dict_type": "a mapping",
}
"""Pydantic's type of error -> what should stand there. All others are about integers."""


def check_shape(model: type[WireModel], wire: Any, notes: Notes) -> bool:
    """Note why the wire form of a file is not valid for `model`; return whether it is valid."""
    try:
        model.from_wire(wire)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            _note(detail, notes)
        return False
    return True


def _note(detail: Any, notes: Notes) -> None:
    path: Path = detail["loc"]
    value = detail.get("input")
    hint = ""
    match detail["type"]:
        case "missing":
            holder = dotted(path[:-1]) or "the file"
            message = f"{holder}: the key {path[-1]!r} is missing"
            notes.at_key(path, "BAI206", message)
            return
        case "literal_error":
            expected = str(detail["ctx"]["expected"])
            if isinstance(value, str) and (near := nearest(value, re.findall("'(.+?)'", expected))):
                hint = f"did you mean {near}?"
        case kind:
            expected = _EXPECTED.get(kind, "an integer")
    # The text itself is not shown: it may be a secret in the wrong place.
    found = "a string" if isinstance(value, str) else kind_of(value)
    message = f"{dotted(path)}: expected {expected}, found {found}"
    notes.at_value(path, "BAI206", message, hint)
