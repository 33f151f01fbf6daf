"""Recognise the kind of a file by its content."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any, Final

from bai.compiler.resources.ids import Kind
from bai.schemas.validators import SchemaKind, schema
from bai.specs.names import nearest

_STEMS: Final = {
    "cluster.json": Kind.CLUSTER,
    "nfs.json": Kind.FILE_SERVER,
    "fileserver.json": Kind.FILE_SERVER,
} | dict.fromkeys(
    (
        "job.json",
        "horovod.json",
        "pytorch.json",
        "tensorflow.json",
        "mpi.json",
        "custom.json",
        "caffe.json",
        "caffe2.json",
        "chainer.json",
        "cntk.json",
    ),
    Kind.JOB,
)
"""Last part of a `$schema`, of any api-version, in lower case -> kind."""

_JSON_SCHEMA: Final = "json-schema.org/"
"""Part of the `$schema` of what is a schema itself, and has `properties` too."""

FILES: Final = {
    Kind.JOB: ("job", "job.json"),
    Kind.CLUSTER: ("cluster", "cluster.json"),
    Kind.FILE_SERVER: ("file server", "nfs.json"),
}
"""Kind -> what its files are called, and the last part of their `$schema`."""

SCHEMA_KINDS: Final[dict[Kind, SchemaKind]] = {
    Kind.JOB: "job",
    Kind.CLUSTER: "cluster",
    Kind.FILE_SERVER: "fileServer",
}
"""Kind -> name of its schema; the other kinds have none."""

_TELLING: Final = {
    Kind.JOB: "stdOutErrPathPrefix",
    Kind.CLUSTER: "userAccountSettings",
    Kind.FILE_SERVER: "sshConfiguration",
}
"""Kind -> key that all its files need, and hardly another tool has."""

_ALIKE: Final = 0.75
"""How alike a key must be to `properties` to stand for it."""
MOST_ITEMS: Final = 20
"""Items of a list of which one may be a spec."""
_ENOUGH: Final = 2
"""Known keys that it takes to recognise what does not stand under `properties`."""


def is_spec(data: Any) -> bool:
    """Return whether a document is an experiment spec, or is meant as one."""
    return isinstance(data, dict) and ("apiVersion" in data or "spec" in data)


def batchai_kind(data: Any) -> Kind | None:
    """Return which of Batch AI's files a document is, by `$schema` or by its keys; None if none.

    Where the two disagree, the kind that knows more of its keys is returned.
    """
    if not isinstance(data, dict) or is_spec(data):
        return None
    said = kind_of_address(data.get("$schema"))
    properties = data.get("properties")
    if not isinstance(properties, dict):
        return said or _kind_by_keys(_meant_properties(data))
    shown = _kind_by_keys(properties)
    if said is None:
        return None if is_json_schema(data) else shown
    if shown is None or shown is said:
        return said
    return shown if len(_known(shown, properties)) > len(_known(said, properties)) else said


def kind_of_address(address: object) -> Kind | None:
    """Return the kind of file that a `$schema` is of, in any api-version; None if it is unknown."""
    return _STEMS.get(stem_of(address).lower()) if isinstance(address, str) else None


def stem_of(address: str) -> str:
    """Return the last part of an address."""
    return address.rstrip("#").rpartition("/")[2]


def is_json_schema(data: Any) -> bool:
    """Return whether a document is itself a schema, with descriptions in place of values."""
    properties = data.get("properties") if isinstance(data, dict) else None
    return (
        isinstance(properties, dict)
        and _JSON_SCHEMA in str(data.get("$schema", ""))
        and all(isinstance(value, dict) for value in properties.values())
    )


def bare_kind(data: Any) -> Kind | None:
    """Return the kind of file that a document has the keys of, without `properties` around them."""
    kind = _kind_by_keys(data) if isinstance(data, dict) else None
    return kind if kind and _is_mostly(kind, data) else None


def _kind_by_keys(properties: dict[str, Any]) -> Kind | None:
    keys = properties.keys()
    if "dataDisks" in keys or "sshConfiguration" in keys:
        return Kind.FILE_SERVER
    if "scaleSettings" in keys or ("vmSize" in keys and "nodeCount" not in keys):
        return Kind.CLUSTER
    is_job = "nodeCount" in keys or "stdOutErrPathPrefix" in keys
    return Kind.JOB if is_job or any(key.endswith("Settings") for key in keys) else None


def _meant_properties(data: dict[str, Any]) -> dict[str, Any]:
    """Return the mapping behind a misspelt `properties`, empty if there is none."""
    for key, value in data.items():
        if not isinstance(value, dict):
            continue
        # Comparing words takes longer, so it comes last.
        kind = _kind_by_keys(value)
        if kind and _is_mostly(kind, value) and nearest(key, ("properties",), _ALIKE):
            return value
    return {}


def is_surely(data: Any) -> bool:
    """Return whether a document is certainly for bai, and not a foreign one with similar keys.

    Editors show every YAML and JSON file there is: Kubernetes has `apiVersion` and `spec` too, and
    many files have a `$schema`.
    """
    if isinstance(data, list):
        return any(is_spec(item) and is_surely(item) for item in data[:MOST_ITEMS])
    if not isinstance(data, dict):
        return is_colonless_spec(data)
    if is_spec(data):
        version, kind = data.get("apiVersion"), data.get("kind")
        if version is None and kind is None:
            return has_part_of_spec(data.get("spec"))
        is_machine = kind in _MACHINES and "vmSize" in (data.get("spec") or ())
        is_unversioned = version is None and is_machine
        return str(version).lower().startswith("bai/") or kind == "Experiment" or is_unversioned
    if address := data.get("$schema"):
        return "batchai" in str(address).lower() or _is_ours_by_keys(data)
    # A schema of something has `type`, and other resources of Azure have one or two of the keys.
    if "type" in data:
        return False
    kind, properties = batchai_kind(data), data.get("properties")
    if isinstance(properties, dict):
        return kind is not None and len(_known(kind, properties)) * 2 >= len(properties)
    bare = bare_kind(data)
    return kind is not None or (bare is not None and _TELLING[bare] in data)


def has_part_of_spec(data: Any) -> bool:
    """Return whether a document has keys that stand in a spec's `spec`."""
    return isinstance(data, dict) and not _SPEC_KEYS.isdisjoint(data)


def is_colonless_spec(data: Any) -> bool:
    """Return whether a document is a spec without spaces behind its first colons, so one text."""
    return isinstance(data, str) and data.startswith(("apiVersion:bai/", "kind:Experiment"))


def _is_ours_by_keys(data: dict[str, Any]) -> bool:
    """Return whether a document is one of Batch AI's files, though its `$schema` is not."""
    properties = data.get("properties")
    if "type" in data or not isinstance(properties, dict):
        return False
    kind = _kind_by_keys(properties)
    # Schemas of files have mappings or booleans in place of values.
    has_values = any(map(_is_value, properties.values()))
    return kind is not None and has_values and _is_mostly(kind, properties)


def _is_value(value: Any) -> bool:
    """Return whether something is a text or a number, as data with places or without has them."""
    if isinstance(value, str):
        return value not in ("true", "false")
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_mostly(kind: Kind, properties: dict[str, Any]) -> bool:
    """Return whether several keys are those of a kind's `properties`, and not many others."""
    known = len(_known(kind, properties))
    return known >= _ENOUGH and known * 2 >= len(properties)


def _known(kind: Kind, properties: dict[str, Any]) -> AbstractSet[str]:
    """Return the keys that are those of a kind's `properties`."""
    known = schema(SCHEMA_KINDS[kind])["properties"]["properties"]["properties"]
    found: AbstractSet[str] = known.keys() & properties.keys()
    return found


_SPEC_KEYS: Final = frozenset(("jobs", "clusters", "fileServers"))
_MACHINES: Final = frozenset(("Cluster", "FileServer"))
"""Kinds of specs that other tools have as well, for other things."""
