"""References by name to clusters and file servers."""

from __future__ import annotations

from collections.abc import Collection

from bai.compiler.passes.scope import Scope
from bai.compiler.resources.ids import NAME, Kind, ResourceId
from bai.specs.findings import Path
from bai.specs.names import nearest

_WORDS = {Kind.CLUSTER: "cluster", Kind.FILE_SERVER: "file server"}


def resolve_sibling(
    scope: Scope, kind: Kind, written: str, known: Collection[str], path: Path
) -> ResourceId | None:
    """Return the id behind a name or an ARM id, written at `path`; None after a finding.

    A name that the spec does not declare may live in the workspace already, which only the plan
    knows. It is a warning if it is nearly the name of one that the spec does declare.
    """
    word = _WORDS[kind]
    if written.startswith("/"):
        try:
            found = ResourceId.parse(written)
        except ValueError:
            found = None
        if found is None or found.kind is not kind:
            message = f"this is not the ARM id of a {word}"
            hint = (
                "/subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.BatchAI"
                f"/workspaces/WORKSPACE/{kind}/NAME"
            )
            scope.report("BAI402", message, scope.span(path), hint)
            return None
        return found
    if not NAME.fullmatch(written):
        hint = "1 to 64 letters, digits, `-` and `_`, or an ARM id"
        scope.report("BAI302", f"{written!r} is no {word}'s name", scope.span(path), hint)
        return None
    if written not in known and (near := nearest(written, known)):
        hint = f"did you mean {near}? Otherwise it must live in the workspace already"
        message = f"the spec has no {word} {written!r}"
        scope.report("BAI403", message, scope.span(path), hint)
    return scope.names.id(kind, written)
