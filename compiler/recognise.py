"""Which kind of file something is."""

from __future__ import annotations

from typing import Any, Final

from bai.compiler.resources.ids import Kind

_STEMS: Final = {"cluster.json": Kind.CLUSTER, "nfs.json": Kind.FILE_SERVER}
"""Last part of a `$schema` -> kind. All others are jobs' (job.json, horovod.json, ...)."""


def is_spec(data: Any) -> bool:
    """Return whether a document is an experiment spec, or means to be one."""
    return isinstance(data, dict) and ("apiVersion" in data or "spec" in data)


def batchai_kind(data: Any) -> Kind | None:
    """Return which of Batch AI's files a document is, by `$schema` or by its keys; None if none."""
    if not isinstance(data, dict) or is_spec(data):
        return None
    stem = str(data.get("$schema", "")).rsplit("/", 1)[-1]
    if stem in _STEMS:
        return _STEMS[stem]
    properties = data.get("properties")
    keys = properties.keys() if isinstance(properties, dict) else ()
    if "dataDisks" in keys or "sshConfiguration" in keys:
        return Kind.FILE_SERVER
    if "scaleSettings" in keys or ("vmSize" in keys and "nodeCount" not in keys):
        return Kind.CLUSTER
    is_job = "nodeCount" in keys or "stdOutErrPathPrefix" in keys or stem.endswith(".json")
    return Kind.JOB if is_job or any(key.endswith("Settings") for key in keys) else None
