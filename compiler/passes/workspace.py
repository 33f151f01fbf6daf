"""The workspace and the experiment."""

from __future__ import annotations

from bai.compiler.passes.scope import Scope
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource


def lower_workspace(scope: Scope) -> Resource:
    """Return the workspace."""
    builder = WireBuilder(scope, ("metadata",))
    written = ("metadata", "location") if scope.names.location_written else None
    builder.set(("location",), scope.names.location, written)
    for key, value in scope.loaded.model.metadata.tags.items():
        builder.set(("tags", key), value, ("metadata", "tags", key))
    return builder.finish(scope.names.id(Kind.WORKSPACE, scope.names.workspace))


def lower_experiment(scope: Scope) -> Resource:
    """Return the experiment, which is nothing but a name."""
    id = scope.names.id(Kind.EXPERIMENT, scope.names.experiment)
    return Resource(id, {}, {(): scope.span(("metadata", "name"))})
