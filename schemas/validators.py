"""Validation of Batch AI's files against schemas/2018-05-01, offline.

Three profiles: `wire`, what the published schema says of what is sent (it accepts nearly
everything); `file`, the same for files that people wrote for the old command line, which filled in
accounts and credentials itself; `strict`, which also asks for the keys that the service can't do
without, for exactly one toolkit, and for no unknown keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from jsonschema import Draft4Validator
    from jsonschema.exceptions import ValidationError

SchemaKind = Literal["job", "cluster", "fileServer"]
Profile = Literal["wire", "file", "strict"]

FILLED_IN = {
    "AzureFileShareReference": ("accountName", "credentials"),
    "AzureBlobFileSystemReference": ("credentials",),
}
"""Definition -> keys that the old command line filled in."""

NEEDED = {
    "job": ("cluster", "nodeCount", "stdOutErrPathPrefix"),
    "cluster": ("vmSize", "userAccountSettings"),
    "fileServer": ("vmSize", "sshConfiguration", "dataDisks"),
}
"""Kind -> keys that the service requires and the published root does not."""


@dataclass(frozen=True, slots=True)
class SchemaError:
    """One place where a document breaks its schema."""

    path: tuple[str | int, ...]
    """Place of the wrong value; of the mapping, if a key is missing in it."""
    message: str
    keyword: str
    """The schema's keyword that failed: type, enum, required, ..."""


@cache
def schema(kind: SchemaKind, profile: Profile = "wire") -> dict[str, Any]:
    """Return a schema as data; treat it as immutable."""
    text = resources.files("bai.schemas").joinpath("2018-05-01", f"{kind}.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    if profile == "file":
        for name, keys in FILLED_IN.items():
            if definition := data["definitions"].get(name):
                definition["required"] = [k for k in definition["required"] if k not in keys]
    elif profile == "strict":
        _make_strict(data, kind)
    return data


def _make_strict(data: dict[str, Any], kind: SchemaKind) -> None:
    root = data["properties"]["properties"]
    for mapping in (root, *(data["definitions"].values())):
        if mapping.get("type") == "object":
            mapping["additionalProperties"] = False
    root["required"] = list(NEEDED[kind])
    if kind == "job":
        toolkits = [name for name in root["properties"] if name.endswith("Settings")]
        root["oneOf"] = [{"required": [n]} for n in toolkits if n != "containerSettings"]
    data["type"] = "object"
    data["required"] = ["properties"]


@cache
def _validator(kind: SchemaKind, profile: Profile) -> Draft4Validator:
    from jsonschema import Draft4Validator

    return Draft4Validator(schema(kind, profile))


def is_valid(kind: SchemaKind, data: Any, profile: Profile = "wire") -> bool:
    """Return the verdict alone."""
    return bool(_validator(kind, profile).is_valid(data))


def validate(kind: SchemaKind, data: Any, profile: Profile = "wire") -> tuple[SchemaError, ...]:
    """Return every place where parsed JSON breaks the schema of its kind, in document order."""
    found: dict[SchemaError, None] = {}
    for error in _validator(kind, profile).iter_errors(data):
        for cause in _causes(error):
            found[cause] = None
    return tuple(sorted(found, key=lambda error: [str(step) for step in error.path]))


def _causes(error: ValidationError) -> Iterator[SchemaError]:
    """Descend from `oneOf [real, expression]` to what is wrong with the real branch."""
    path = tuple(error.absolute_path)
    if error.validator == "oneOf" and error.context:
        real = [inner for inner in error.context if inner.schema_path[0] == 0]
        for inner in real:
            yield from _causes(inner)
        return
    yield SchemaError(path, _message(error), str(error.validator))


def _message(error: ValidationError) -> str:
    name = str(error.absolute_path[-1]) if error.absolute_path else "the document"
    expected: Any = error.validator_value
    found: Any = error.instance
    rules: Any = error.schema
    match error.validator:
        case "type":
            return f"{name} must be of type {expected}"
        case "enum":
            return f"{name} must be one of {', '.join(map(str, expected))}"
        case "required":
            return f"{name} lacks {', '.join(key for key in expected if key not in found)}"
        case "additionalProperties":
            unknown = [key for key in found if key not in rules["properties"]]
            return f"{name} has unknown keys: {', '.join(unknown)}"
        case "oneOf":
            return f"{name} must have exactly one toolkit"
    return f"{name}: {error.message}"
