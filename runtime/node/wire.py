"""What goes over a link besides output, as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from bai.runtime.errors import LaunchError
from bai.runtime.mounts.driver import Mount
from bai.runtime.node.cores import Core
from bai.runtime.node.machine import Facts, Process


def pack(value: object) -> bytes:
    """Return JSON."""
    return json.dumps(value).encode()


def unpack(data: bytes) -> Any:
    """Return what JSON means."""
    return json.loads(data)


def pack_facts(facts: Facts) -> dict[str, Any]:
    """Return facts as JSON knows them."""
    cores = [[core.package, sorted(core.cpus)] for core in facts.cores]
    return {
        "host": facts.host,
        "address": facts.address,
        "interface": facts.interface,
        "cores": cores,
        "gpus": facts.gpus,
        "is_root": facts.is_root,
        "user": facts.user,
        "python": facts.python,
        "scripts": facts.scripts,
        "reports": facts.reports,
        "environment": dict(facts.environment),
    }


def unpack_facts(found: dict[str, Any]) -> Facts:
    """Return what `pack_facts` took."""
    cores = tuple(Core(package, frozenset(cpus)) for package, cpus in found["cores"])
    return Facts(**found | {"cores": cores})


def pack_process(process: Process) -> dict[str, Any]:
    """Return a process as JSON knows it."""
    return asdict(process) | {"cpus": sorted(process.cpus) if process.cpus else None}


def unpack_process(found: dict[str, Any]) -> Process:
    """Return what `pack_process` took."""
    cpus = frozenset(found["cpus"]) if found["cpus"] else None
    return Process(**found | {"cpus": cpus})


def unpack_mounts(found: list[dict[str, Any]]) -> list[Mount]:
    """Return mounts that came as the JSON of their fields."""
    return [Mount(**mount) for mount in found]


def pack_error(error: Exception) -> dict[str, Any]:
    """Return an answer that says what failed."""
    if isinstance(error, OSError):
        return {"errno": error.errno, "error": error.strerror, "file": error.filename}
    known = isinstance(error, LaunchError)
    return {"error": str(error) if known else f"{type(error).__name__}: {error}"}


def unpack_error(found: dict[str, Any]) -> Exception:
    """Return the error of an answer that says what failed."""
    if "errno" in found:
        return OSError(found["errno"], found["error"], found["file"])
    return LaunchError(found["error"])
