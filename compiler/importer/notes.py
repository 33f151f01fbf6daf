"""What an import could not keep as it was."""

from __future__ import annotations

from dataclasses import dataclass, field

from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Severity, Span
from bai.specs.source.places import narrow


@dataclass(frozen=True, slots=True)
class Notes:
    """Collects findings about the documents of one import."""

    findings: list[Finding] = field(default_factory=list)

    def warn(self, document: Document, path: Path, code: str, message: str, hint: str = "") -> None:
        """Note something that changes or is lost, at its key."""
        self._add(Severity.WARNING, document.key_span(path), code, message, hint)

    def warn_of_value(
        self, document: Document, path: Path, code: str, message: str, hint: str
    ) -> None:
        """Note something about a value, at the value itself."""
        self._add(Severity.WARNING, document.span(path), code, message, hint)

    def warn_of_part(
        self, document: Document, path: Path, part: str, code: str, message: str, hint: str
    ) -> None:
        """Note something about a part of a text."""
        span = narrow(document.span(path), document.text, part)
        self._add(Severity.WARNING, span, code, message, hint)

    def error(
        self, document: Document, path: Path, code: str, message: str, hint: str = ""
    ) -> None:
        """Note something that makes the import useless."""
        self._add(Severity.ERROR, document.key_span(path), code, message, hint)

    def error_of_value(
        self, document: Document, path: Path, code: str, message: str, hint: str = ""
    ) -> None:
        """Note a value that makes the import useless, at the value itself."""
        self._add(Severity.ERROR, document.span(path), code, message, hint)

    def _add(self, severity: Severity, span: Span, code: str, message: str, hint: str) -> None:
        self.findings.append(Finding(code, severity, message, span, hint or None))

    def comment(self) -> list[str]:
        """Return the warnings as lines of a comment."""
        return [f"{f.message}{f' ({f.hint})' if f.hint else ''}" for f in self.findings]


def dotted(path: Path) -> str:
    """Return a path as people write it: `properties.mountVolumes.azureFileShares[0]`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")
