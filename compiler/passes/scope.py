"""What all passes of one compilation share."""

from __future__ import annotations

from dataclasses import dataclass, field

from bai.compiler.compilation import NO_SUBSCRIPTION, Defaults
from bai.compiler.resources.ids import RESOURCE_GROUP, Kind, ResourceId
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Severity, Span
from bai.specs.load import LoadedSpec
from bai.specs.models.experiment import ExperimentSpec


@dataclass(frozen=True, slots=True)
class Scope:
    """The spec, what it leaves to the context, and the findings so far."""

    loaded: LoadedSpec
    defaults: Defaults
    findings: list[Finding] = field(default_factory=list)

    @property
    def spec(self) -> ExperimentSpec:
        """The content of the spec."""
        return self.loaded.model.spec

    @property
    def document(self) -> Document:
        """The document that the spec was read from."""
        return self.loaded.document

    def error(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        """Add a finding that stops the compilation in the end."""
        self.findings.append(Finding(code, Severity.ERROR, message, span, hint))

    def warn(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        """Add a finding that stops nothing."""
        self.findings.append(Finding(code, Severity.WARNING, message, span, hint))

    def span(self, *path: str | int) -> Span:
        """Return where the value at `path` stands."""
        return self.document.span(path)


@dataclass(frozen=True, slots=True)
class Names:
    """The names that every resource id of a spec begins with."""

    subscription: str
    resource_group: str
    workspace: str
    experiment: str
    location: str

    def id(self, kind: Kind, name: str) -> ResourceId:
        """Return the id of a resource of this experiment or workspace."""
        experiment = self.experiment if kind is Kind.JOB else None
        return ResourceId(
            self.subscription, self.resource_group, self.workspace, kind, name, experiment
        )


def resolve_names(scope: Scope) -> Names:
    """Take each name from the spec or else from the defaults; one that neither has is an error."""
    metadata, defaults = scope.loaded.model.metadata, scope.defaults
    chosen = {
        "resourceGroup": metadata.resource_group or defaults.resource_group,
        "workspace": metadata.workspace or defaults.workspace,
        "location": metadata.location or defaults.location,
    }
    for key, value in chosen.items():
        if value is None:
            hint = f"write metadata.{key}, or set it in the context"
            span = scope.document.key_span(("metadata",))
            scope.error("BAI204", f"the {key} is not set", span, hint)
    group = chosen["resourceGroup"]
    if group is not None and not RESOURCE_GROUP.fullmatch(group):
        span = scope.span("metadata", "resourceGroup")
        hint = "letters, digits, `-`, `_` and `.`"
        scope.error("BAI302", f"{group!r} is no resource group's name", span, hint)
    return Names(
        metadata.subscription or defaults.subscription or NO_SUBSCRIPTION,
        group or "unset",
        chosen["workspace"] or "unset",
        metadata.name,
        chosen["location"] or "unset",
    )


def spec_path(*path: str | int) -> Path:
    """Return the document path of something below `spec`."""
    return ("spec", *path)
