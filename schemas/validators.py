"""Validation of Batch AI's files against schemas/2018-05-01, offline.

Four profiles:

- `wire`: the published schema of requests. It accepts nearly everything: `{}`, unknown keys, two
  toolkits.
- `file`: the same for files for the old command line, which filled in accounts and credentials
  itself.
- `strict`: `wire` with the keys that the service needs, exactly one toolkit, and no unknown keys.
- `source`: correct files for the old command line: `file`, and as strict as `strict` except for
  what the command line got from its options: a job's cluster, and the administrator of a cluster.

jsonschema-rs, a compiled validator, decides whether a document is valid; jsonschema finds the
errors. Tests compare the two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from jsonschema import Draft4Validator

    from bai.schemas.errors import Path, SchemaError

SchemaKind = Literal["job", "cluster", "fileServer"]
Profile = Literal["wire", "file", "strict", "source"]

FOLDER: Final = FilePath(__file__).with_name("2018-05-01")

FILLED_IN: Final = {
    "AzureFileShareReference": ("accountName", "credentials"),
    "AzureBlobFileSystemReference": ("credentials",),
}
"""Definition -> keys that the old command line filled in."""

MOST_ERRORS: Final = 1_000
"""Errors of one file: each takes time to explain."""

NEEDED: Final = {
    "job": ("cluster", "nodeCount", "stdOutErrPathPrefix"),
    "cluster": ("vmSize", "userAccountSettings"),
    "fileServer": ("vmSize", "sshConfiguration", "dataDisks"),
}
"""Kind -> keys that the service requires and the published root does not."""

NEEDED_WITHIN: Final = {"CustomToolkitSettings": ("commandLine",)}
"""Definition -> keys that the service requires and the published definition does not."""

FROM_COMMAND_LINE: Final = {"job": "cluster", "cluster": "userAccountSettings"}
"""Kind -> key that the old command line set: from an option, or to the user of the machine."""


def validate(kind: SchemaKind, data: Any, profile: Profile = "wire") -> tuple[SchemaError, ...]:
    """Return the places where parsed JSON breaks the schema of its kind, in document order.

    Of very many there are the first ones that are found, `MOST_ERRORS`.
    """
    from bai.schemas.errors import explain

    causes = (
        cause for error in _validator(kind, profile).iter_errors(data) for cause in explain(error)
    )
    # jsonschema has an error for each missing key, and each explains all missing keys.
    unique: dict[SchemaError, None] = {}
    for cause in causes:
        unique[cause] = None
        if len(unique) == MOST_ERRORS:
            break
    return tuple(sorted(unique, key=lambda cause: tuple(_position(cause.path, data))))


def is_valid(kind: SchemaKind, data: Any, profile: Profile = "wire") -> bool:
    """Return the verdict alone."""
    return _fast_validator(kind, profile)(data)


def compiled(schema: dict[str, Any]) -> Callable[[Any], bool]:
    """Return a fast function that returns whether data is valid against a schema of draft 4."""
    import jsonschema_rs

    return jsonschema_rs.Draft4Validator(schema).is_valid


@cache
def schema(kind: SchemaKind, profile: Profile = "wire") -> dict[str, Any]:
    """Return a schema as data; treat it as immutable."""
    data: dict[str, Any] = json.loads((FOLDER / f"{kind}.json").read_text("utf-8"))
    if profile in ("file", "source"):
        for name, keys in FILLED_IN.items():
            if definition := data["definitions"].get(name):
                definition["required"] = [k for k in definition["required"] if k not in keys]
    if profile in ("strict", "source"):
        _make_strict(data, kind)
    if profile == "source":
        # The old command line dropped unknown keys, so some files use them for notes.
        data["properties"]["comment"] = {
            "type": ["string", "array", "object"],
            "description": "For those who read the file.",
        }
        if kind in FROM_COMMAND_LINE:
            data["properties"]["properties"]["required"].remove(FROM_COMMAND_LINE[kind])
    return data


def _make_strict(data: dict[str, Any], kind: SchemaKind) -> None:
    root = data["properties"]["properties"]
    for mapping in (data, root, *data["definitions"].values()):
        if "properties" in mapping:
            mapping["additionalProperties"] = False
    root["required"] = list(NEEDED[kind])
    for name, keys in NEEDED_WITHIN.items():
        if definition := data["definitions"].get(name):
            definition["required"] = [*definition.get("required", ()), *keys]
    if kind == "job":
        toolkits = [name for name in root["properties"] if name.endswith("Settings")]
        root["oneOf"] = [{"required": [n]} for n in toolkits if n != "containerSettings"]
    # Editors find the schema of a file by this key.
    data["properties"]["$schema"] = {
        "type": "string",
        "description": "Address of the schema that editors check the file with.",
    }
    data["type"] = "object"
    data["required"] = ["properties"]


@cache
def _fast_validator(kind: SchemaKind, profile: Profile) -> Callable[[Any], bool]:
    return compiled(schema(kind, profile))


@cache
def _validator(kind: SchemaKind, profile: Profile) -> Draft4Validator:
    # Importing jsonschema takes longer than most commands that never validate.
    from jsonschema import Draft4Validator

    return Draft4Validator(schema(kind, profile))


def _position(path: Path, data: Any) -> Iterator[int]:
    """Iterate over the ranks, each within its holder, that a path leads through."""
    for step in path:
        if isinstance(step, int) and isinstance(data, list):
            yield step
            data = data[step]
        else:
            keys = list(data)
            yield keys.index(step) if step in data else len(keys)
            data = data.get(step)
