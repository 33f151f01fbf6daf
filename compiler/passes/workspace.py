"""The workspace and the experiment."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.passes.names import Names
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource


def lower_workspace(scope: Scope, names: Names) -> Iterator[Resource]:
    """Return the workspace."""
    builder = WireBuilder(scope, ("metadata",))
    written = ("metadata", "location") if names.location_written else None
    builder.set(("location",), names.location, written)
    for key, value in scope.loaded.model.metadata.tags.items():
        builder.set(("tags", key), value, ("metadata", "tags", key))
    yield builder.finish(names.id(Kind.WORKSPACE, names.workspace))


def lower_experiment(scope: Scope, names: Names) -> Iterator[Resource]:
    """Return the experiment, which is nothing but a name."""
    id = names.id(Kind.EXPERIMENT, names.experiment)
    yield Resource(id, {}, {(): scope.span(("metadata", "name"))})
