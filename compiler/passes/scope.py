"""State that all passes of one compilation share."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from bai.compiler.compilation import Defaults
from bai.compiler.passes.declared import Declared
from bai.compiler.passes.names import Names
from bai.specs.codes import make_finding
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
    names: Names = field(default_factory=Names)
    """Where its resources live; nowhere before `resolve_names`."""

    @property
    def spec(self) -> ExperimentSpec:
        """The content of the spec."""
        return self.loaded.model.spec

    @property
    def document(self) -> Document:
        """The document that the spec was read from."""
        return self.loaded.document

    def absolute(self, path: str) -> str:
        """Return a path of the spec, which starts from the folder of its file, in full."""
        # `join` keeps an absolute path as it is.
        return os.path.normpath(os.path.join(self.loaded.directory, path))  # noqa: PTH118

    def span(self, path: Path) -> Span:
        """Return where the value at `path` stands."""
        return self.document.span(path)

    def report(
        self,
        code: str,
        message: str,
        span: Span | None,
        hint: str | None = None,
        fix: Fix | None = None,
        *,
        severity: Severity | None = None,
    ) -> None:
        """Add a finding, with the code's own severity unless another one is given."""
        found = make_finding(code, message, span, hint, fix, severity=severity)
        self.findings.append(found)
