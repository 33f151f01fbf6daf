"""A resource in the words of a spec, for people to read.

What the compiler put into a job for `sweep`, `code` and `timeline` is shown as these keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bai.compiler.importer.inverse import INVERSE
from bai.compiler.importer.origins import plain
from bai.compiler.importer.short_references import shorten
from bai.compiler.passes.toolkits import FILE_KEYS
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.reserved import (
    CODE_SHARE,
    CODE_VARIABLE,
    MEMBER_VARIABLE,
    SWEEP_VARIABLE,
    SWEEP_VARIABLES,
    TIMELINE_FILE,
    TIMELINE_OUTPUT,
    TIMELINE_SUFFIX,
    TIMELINE_VARIABLE,
)
from bai.compiler.resources.sweep import point_of, point_text
from bai.specs.toolkits import TOOLKITS

_SNAPSHOT: Final = f"${{mounts.{CODE_SHARE}}}/"
"""What comes before the name of a snapshot."""
_SHORT: Final = 12
"""Characters of a snapshot's name that are shown."""


def spec_form(id: ResourceId, wire: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a spec says below the name of a resource to declare it.

    Workspaces and experiments have no such place; what there is of them is returned.

    Args:
        id: the resource; names in the result are relative to its workspace.
        wire: its wire form, as the compiler makes it.
    """
    if id.kind not in INVERSE:
        return {key: value for key, value in wire.items() if key != "properties"}
    home = id.sibling(Kind.WORKSPACE, id.workspace)
    sections: dict[str, dict[str, Any]] = {kind.value: {} for kind in INVERSE}
    sections[id.kind.value][id.name] = INVERSE[id.kind](wire["properties"], home)
    shorten(sections)
    form: dict[str, Any] = plain(sections[id.kind.value][id.name])
    return _with_own_words(form, point_of(wire)) if id.kind is Kind.JOB else form


def _with_own_words(job: dict[str, Any], point: Mapping[str, Any]) -> dict[str, Any]:
    """Return a job with `sweep`, `code` and `timeline` in place of what was made of them."""
    job = _with_timeline(job)
    environment, mounts = dict(job.get("environment", {})), dict(job.get("mounts", {}))
    words: dict[str, Any] = {}
    if point and environment.keys() >= SWEEP_VARIABLES:
        del environment[MEMBER_VARIABLE]
        words["sweep"] = f"{environment.pop(SWEEP_VARIABLE)} (member {point_text(point)})"
    code, mount = environment.get(CODE_VARIABLE, ""), mounts.get(CODE_SHARE)
    # A mount with options is one that somebody wrote.
    if code.startswith(_SNAPSHOT) and isinstance(mount, str) and "?" not in mount:
        del environment[CODE_VARIABLE], mounts[CODE_SHARE]
        words["code"] = code.removeprefix(_SNAPSHOT)[:_SHORT]
        job = job | {name: _in_code(job[name], f"{code}/") for name in TOOLKITS if name in job}
    if not words:
        return job
    changed = {"environment": environment, "mounts": mounts}
    kept = {key: changed.get(key, value) for key, value in job.items() if changed.get(key, True)}
    return words | kept


def _with_timeline(job: dict[str, Any]) -> dict[str, Any]:
    """Return a job with `timeline: true` in place of the output and the variable made of it."""
    outputs, environment = dict(job.get("outputs", {})), dict(job.get("environment", {}))
    output = outputs.pop(TIMELINE_OUTPUT, None)
    file = environment.pop(TIMELINE_VARIABLE, None)
    made = {"path": job.get("logs"), "suffix": TIMELINE_SUFFIX}
    if (
        "horovod" not in job
        or output != made
        or file != f"${{outputs.{TIMELINE_OUTPUT}}}/{TIMELINE_FILE}"
    ):
        return job
    changed = {"outputs": outputs, "environment": environment}
    kept = {key: changed.get(key, value) for key, value in job.items() if changed.get(key, True)}
    return kept | {"horovod": {**job["horovod"], "timeline": True}}


def _in_code(toolkit: dict[str, Any], folder: str) -> dict[str, Any]:
    """Return a toolkit whose files of the code have paths from there."""
    files = {key: str(toolkit[key]).removeprefix(folder) for key in FILE_KEYS if key in toolkit}
    return toolkit | files
