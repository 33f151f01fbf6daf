"""Which kind of file something is."""

from __future__ import annotations

from typing import Any, Final

from bai.compiler.resources.ids import Kind

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

_SCHEMAS: Final = "json-schema.org/"
"""Part of the `$schema` of what is a schema itself, and has `properties` too."""


def is_spec(data: Any) -> bool:
    """Return whether a document is an experiment spec, or means to be one."""
    return isinstance(data, dict) and ("apiVersion" in data or "spec" in data)


def batchai_kind(data: Any) -> Kind | None:
    """Return which of Batch AI's files a document is, by `$schema` or by its keys; None if none."""
    if not isinstance(data, dict) or is_spec(data):
        return None
    address = str(data.get("$schema", ""))
    if kind := _STEMS.get(address.rstrip("#").rsplit("/", 1)[-1].lower()):
        return kind
    properties = data.get("properties")
    if not isinstance(properties, dict) or _SCHEMAS in address:
        return None
    keys = properties.keys()
    if "dataDisks" in keys or "sshConfiguration" in keys:
        return Kind.FILE_SERVER
    if "scaleSettings" in keys or ("vmSize" in keys and "nodeCount" not in keys):
        return Kind.CLUSTER
    is_job = "nodeCount" in keys or "stdOutErrPathPrefix" in keys
    return Kind.JOB if is_job or any(key.endswith("Settings") for key in keys) else None


def is_surely(data: Any) -> bool:
    """Return whether a document is certainly for bai, and nobody else's with similar keys.

    Editors show every YAML and JSON file there is: Kubernetes has `apiVersion` and `spec` too, and
    many files have a `$schema`.
    """
    if not isinstance(data, dict):
        return False
    if is_spec(data):
        version, kind = data.get("apiVersion"), data.get("kind")
        if version is None and kind is None:
            spec = data.get("spec")
            return isinstance(spec, dict) and not _SPEC_KEYS.isdisjoint(spec)
        return str(version).lower().startswith("bai/") or kind == "Experiment"
    if address := data.get("$schema"):
        return "batchai" in str(address).lower()
    # A schema of something has `type`, and other resources of Azure have one or two of the keys.
    kind = batchai_kind(data)
    return kind is not None and "type" not in data and _is_mostly(kind, data["properties"])


def _is_mostly(kind: Kind, properties: Any) -> bool:
    """Return whether most keys are those of a kind's `properties`."""
    from bai.compiler.rules.schema.wire_form import SCHEMA_KINDS
    from bai.schemas.validators import schema

    if not isinstance(properties, dict):
        return False
    known = (
        schema(SCHEMA_KINDS[kind])["properties"]["properties"]["properties"].keys()
        & properties.keys()
    )
    return len(known) * 2 >= len(properties)


_SPEC_KEYS: Final = frozenset(("jobs", "clusters", "fileServers"))
