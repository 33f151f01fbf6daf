"""The workspace and the experiment."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.draft import Draft
from bai.compiler.passes.names import Names
from bai.compiler.passes.scope import Scope
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource


def lower_workspace(scope: Scope, names: Names) -> Iterator[Resource]:
    """Return the workspace."""
    draft = Draft(scope.document, ("metadata",))
    written = ("metadata", "location") if names.location_written else None
    draft.put(("location",), names.location, written)
    for key, value in scope.loaded.model.metadata.tags.items():
        draft.put(("tags", key), value, ("metadata", "tags", key))
    yield draft.finish(names.id(Kind.WORKSPACE, names.workspace))


def lower_experiment(scope: Scope, names: Names) -> Iterator[Resource]:
    """Return the experiment, which is nothing but a name."""
    id = names.id(Kind.EXPERIMENT, names.experiment)
    yield Resource(id, {}, {(): scope.span(("metadata", "name"))})
