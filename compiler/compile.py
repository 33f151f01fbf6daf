"""A compilation: the passes, in order."""

from __future__ import annotations

from bai.compiler.compilation import Compilation, Defaults
from bai.compiler.passes.jobs import lower_job
from bai.compiler.passes.machines import lower_cluster, lower_file_server
from bai.compiler.passes.scope import Names, Scope, resolve_names
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource, body_from_wire
from bai.compiler.rules.registry import check_all
from bai.specs.findings import Finding, Path, Span
from bai.specs.load import LoadedSpec


def compile_spec(spec: LoadedSpec, defaults: Defaults) -> Compilation:
    """Expand a spec into Batch AI resources.

    Args:
        spec: a spec that loaded without findings of its own.
        defaults: what the spec may leave unsaid.

    Returns:
        The resources in the order in which they must exist, and every finding; with an error
        among the findings the resources are not fit to be sent.
    """
    scope = Scope(spec, defaults)
    names = resolve_names(scope)
    resources = (
        _workspace(scope, names),
        Resource(
            names.id(Kind.EXPERIMENT, names.experiment),
            body_from_wire(Kind.EXPERIMENT, {}),
            {(): scope.span("metadata", "name")},
        ),
        *(lower_file_server(scope, names, *item) for item in scope.spec.file_servers.items()),
        *(lower_cluster(scope, names, *item) for item in scope.spec.clusters.items()),
        *(lower_job(scope, names, *item) for item in scope.spec.jobs.items()),
    )
    findings = [*scope.findings, *check_all(resources)]
    return Compilation(resources, tuple(sorted(findings, key=_position)))


def _workspace(scope: Scope, names: Names) -> Resource:
    wire: dict[str, object] = {"location": names.location}
    if tags := scope.loaded.model.metadata.tags:
        wire["tags"] = dict(tags)
    spans: dict[Path, Span] = {
        (): scope.document.key_span(("metadata",)),
        ("location",): scope.span("metadata", "location"),
        ("tags",): scope.span("metadata", "tags"),
    }
    body = body_from_wire(Kind.WORKSPACE, wire)
    return Resource(names.id(Kind.WORKSPACE, names.workspace), body, spans)


def _position(finding: Finding) -> tuple[int, int, str]:
    span = finding.span
    return (span.line, span.column, finding.code) if span else (0, 0, finding.code)
