"""The metadata: names that every resource id begins with, the workspace and the experiment.

The names come from the spec, or else from the context.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bai.compiler.batchai.regions import meant_region
from bai.compiler.passes.scope import UNSET, Names, Scope, WrittenWorkspace
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.ids import NAME, RESOURCE_GROUP, Kind
from bai.compiler.resources.resource import Resource
from bai.specs.findings import Severity
from bai.specs.models.metadata import ExperimentMetadata, WorkspaceMetadata

_ANY = re.compile(r"[^/\s]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SHORTEST_NAME = 4
"""Least characters of a subscription's name; shorter texts (`s`) are placeholders."""
_RULES = {
    "subscription": (_ANY, "no slashes and no spaces"),
    "resourceGroup": (RESOURCE_GROUP, "letters, digits, `-`, `_` and `.`"),
    "workspace": (NAME, "1 to 64 letters, digits, `-` and `_`, not `-` first"),
    "location": (_ANY, "a region's name, eastus for one"),
}
"""Key -> (what it may be, the same in words)."""


def resolve_names(scope: Scope) -> Scope:
    """Return the scope with its names; one that neither spec nor context has is an error in it.

    A name that is missing or malformed is `unset` in the result, so that the passes can go on.
    """
    metadata, defaults = scope.loaded.model.metadata, scope.defaults
    workspace = metadata.name if isinstance(metadata, WorkspaceMetadata) else metadata.workspace
    names = Names(
        _name(scope, "subscription", metadata.subscription, defaults.subscription),
        _name(scope, "resourceGroup", metadata.resource_group, defaults.resource_group),
        _name(scope, "workspace", workspace, defaults.workspace),
        metadata.name if isinstance(metadata, ExperimentMetadata) else UNSET,
        _name(scope, "location", metadata.location, defaults.location),
        metadata.location is not None,
    )
    return replace(scope, names=names)


def _name(scope: Scope, key: str, written: str | None, default: str | None) -> str:
    name, origin, span = written, "", scope.span(("metadata", key))
    if name is None:
        name, origin = default, ", which the context sets,"
        span = scope.document.key_span(("metadata",))
    if name is None:
        hint = f"write metadata.{key}, or set {key} in the context"
        scope.report("BAI204", f"the {key} is not set", span, hint)
        return UNSET
    pattern, rule = _RULES[key]
    if not pattern.fullmatch(name):
        scope.report("BAI302", f"{name!r}{origin} is no valid {key}", span, rule)
        return UNSET
    if key == "subscription" and not origin and _is_a_name(name):
        hint = "write its id, a UUID: `az account list` shows it"
        message = f"{name!r} is a name, and no id of a subscription"
        scope.report("BAI302", message, span, hint, severity=Severity.WARNING)
    if key == "location" and not origin and (near := meant_region(name)):
        scope.report("BAI324", f"there is no region {name!r}", span, f"did you mean {near}?")
    return name


def _is_a_name(subscription: str) -> bool:
    """Return whether a text is the name of a subscription: no UUID and no placeholder of one."""
    if _UUID.fullmatch(subscription) or len(subscription) < _SHORTEST_NAME:
        return False
    is_blank = any(mark in subscription for mark in "<>{}$%[]") or subscription.isupper()
    return not is_blank and "subscription" not in subscription.lower()


def lower_workspace(scope: Scope) -> Resource:
    """Return the workspace; what the spec leaves out is what others write about it."""
    builder = WireBuilder(scope, ("metadata",))
    names, written = scope.names, scope.declared.workspace(scope.names)
    if names.location_written:
        builder.set(("location",), names.location, ("metadata", "location"))
    else:
        builder.set(("location",), written.location or names.location, None)
    own = WrittenWorkspace.of(scope.loaded.model).tags
    for key, value in (own or written.tags).items():
        builder.set(("tags", key), value, ("metadata", "tags", key) if own else None)
    left_open = set() if written.location else {"location"}
    if not written.tags and not written.is_document:
        left_open.add("tags")
    workspace = builder.finish(names.id(Kind.WORKSPACE, names.workspace))
    return replace(workspace, left_open=frozenset(left_open))


def lower_experiment(scope: Scope) -> Resource:
    """Return the experiment, which is nothing but a name."""
    id = scope.names.id(Kind.EXPERIMENT, scope.names.experiment)
    return Resource(id, {}, {(): scope.span(("metadata", "name"))})
