"""Reduce a raw document to the keys of the wire models, with a note for each removal.

What is left has the shape of a job, a cluster or a file server, or notes say in words and with
places what has not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, get_args, get_origin

from pydantic import BaseModel, ValidationError

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.batchai.other_keys import ANSWERED, FORMER, RENAMED
from bai.compiler.importer.notes import Notes, dotted
from bai.compiler.importer.origins import Origin, placed
from bai.compiler.importer.placeholders import unfilled
from bai.compiler.resources.base import WireModel
from bai.specs.document import Document
from bai.specs.findings import Path, Severity
from bai.specs.models.shape import bare, fields
from bai.specs.names import nearest
from bai.specs.secrets import SecretRef, parse_secret_marker, secret_marker
from bai.specs.source.plain_scalar import Plain, kind_of


def prune(model: type[BaseModel], notes: Notes) -> dict[str, Any]:
    """Return a document's data with only the keys of `model`, unset values and secrets gone.

    Every string and integer in it knows its origin.
    """
    data = {k: v for k, v in notes.document.data.items() if k not in ("$schema", "comment")}
    pruned: dict[str, Any] = _mapping(model, data, (), notes)
    return pruned


def _mapping(
    model: type[BaseModel], data: dict[str, Any], path: Path, notes: Notes
) -> dict[str, Any]:
    known = fields(model)
    kept: dict[str, Any] = {}
    for key, value in data.items():
        here = (*path, key)
        if value is None:
            continue
        if (renamed := RENAMED.get(key)) in known:
            if data.get(renamed) is not None:
                message = f"{dotted(here)} is left out: {renamed}, its new name, is there as well"
                notes.at_key(here, "BAI207", message)
                continue
            notes.at_key(here, "BAI207", f"{dotted(here)} is now {renamed}")
            kept[renamed] = _value(known[renamed].annotation, value, here, notes)
        elif key not in known:
            if key in ANSWERED:
                message, hint = f"{dotted(here)} is the service's to set", ""
            else:
                message = f"{dotted(here)} is no key of api-version 2018-05-01"
                hint = FORMER.get(key, "")
                if not hint and (near := nearest(key, known)):
                    hint = f"did you mean {near}?"
            notes.at_key(here, "BAI207", message, hint)
        elif known[key].is_required() or key == "commandLine" or value not in _EMPTY:
            kept[key] = _value(known[key].annotation, value, here, notes)
    return kept


def _value(annotation: Any, value: Any, path: Path, notes: Notes) -> Any:
    kind = bare(annotation)
    if kind is SecretRef:
        return _secret(value, path, notes)
    if get_origin(kind) is list and isinstance(value, list):
        [inner] = get_args(kind)
        return [_value(inner, item, (*path, index), notes) for index, item in enumerate(value)]
    if isinstance(kind, type) and issubclass(kind, BaseModel) and isinstance(value, dict):
        return _mapping(kind, value, path, notes)
    if isinstance(value, str) and is_expression(value) and kind is not str:
        message = f"{dotted(path)} is an ARM template expression"
        notes.at_key(path, "BAI208", message, "write the value itself", Severity.ERROR)
    if isinstance(value, Plain):
        value = value.value if kind is int else str(value)
    return placed(value, Origin(notes.document, path))


def _secret(value: Any, path: Path, notes: Notes) -> Any:
    try:
        ref = parse_secret_marker(value)
    except ValueError:
        name = variable_for(path, notes.document)
        hint = f"set {name} in the environment of bai"
        if isinstance(value, str) and list(unfilled(value)) == [value]:
            message = f"{dotted(path)} is a placeholder"
            notes.at_part(path, value, "BAI611", message, hint)
        else:
            message = f"{dotted(path)} was a secret in plain text"
            notes.at_value(path, "BAI603", message, hint)
        ref = SecretRef("env", name)
    return placed(secret_marker(ref), Origin(notes.document, path))


def variable_for(path: Path, document: Document) -> str:
    """Return the environment variable that takes the place of the secret at `path`."""
    if path[-1] == "accountKey":
        return "AZURE_BATCHAI_STORAGE_KEY"
    if path[-1] == "value" and "secrets" in path:
        entry = document.value(path[:-1])
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            return str(entry["name"])
    return {"adminUserPassword": "ADMIN_PASSWORD", "password": "REGISTRY_PASSWORD"}.get(
        str(path[-1]), "INSTRUMENTATION_KEY"
    )


_EMPTY: Final[Sequence[Any]] = ("", [])
"""Values of options that count as missing."""

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
        model.model_validate(wire)
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
            expected = _EXPECTED.get(kind, "a whole number")
    # The text itself is not shown: it may be a secret in the wrong place.
    found = "a string" if isinstance(value, str) else kind_of(value)
    message = f"{dotted(path)}: expected {expected}, found {found}"
    notes.at_value(path, "BAI206", message, hint)
