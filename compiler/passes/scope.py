"""What all passes of one compilation share."""

from __future__ import annotations

from dataclasses import dataclass, field

from bai.compiler.compilation import Defaults
from bai.compiler.passes.declared import Declared
from bai.specs.document import Document
from bai.specs.findings import Finding, Fix, Path, Severity, Span
from bai.specs.load import LoadedSpec
from bai.specs.models.experiment import ExperimentSpec


@dataclass(frozen=True, slots=True)
class Scope:
    """The spec, what it leaves to the context, and the findings so far."""

    loaded: LoadedSpec
    defaults: Defaults
    findings: list[Finding] = field(default_factory=list)
    declared: Declared = field(default_factory=Declared)
    """What this spec and those that are compiled with it declare."""

    @property
    def spec(self) -> ExperimentSpec:
        """The content of the spec."""
        return self.loaded.model.spec

    @property
    def document(self) -> Document:
        """The document that the spec was read from."""
        return self.loaded.document

    def span(self, path: Path) -> Span:
        """Return where the value at `path` stands."""
        return self.document.span(path)

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        hint: str | None = None,
        fix: Fix | None = None,
    ) -> None:
        """Add a finding that stops the compilation in the end."""
        self.findings.append(Finding(code, Severity.ERROR, message, span, hint, fix))

    def warn(
        self,
        code: str,
        message: str,
        span: Span | None,
        hint: str | None = None,
        fix: Fix | None = None,
    ) -> None:
        """Add a finding that stops nothing."""
        self.findings.append(Finding(code, Severity.WARNING, message, span, hint, fix))
