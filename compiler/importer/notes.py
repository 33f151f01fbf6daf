"""Notes on what an import changes or can't take over."""

from __future__ import annotations

from dataclasses import dataclass, field

from bai.specs.codes import make_finding
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Severity, Span
from bai.specs.source.places import narrow


@dataclass(frozen=True, slots=True)
class Notes:
    """Collects findings about one document of an import."""

    document: Document
    findings: list[Finding] = field(default_factory=list)

    def at_key(
        self, path: Path, code: str, message: str, hint: str = "", severity: Severity | None = None
    ) -> None:
        """Note something at the key that leads to a value; an error makes the import useless.

        Args:
            path: the place of the value.
            code: the finding's.
            message: the error, the change or the loss.
            hint: what to do.
            severity: None for the code's own.
        """
        self._add(self.document.key_span(path), code, message, hint, severity)

    def at_value(self, path: Path, code: str, message: str, hint: str = "") -> None:
        """Note something at the value itself."""
        self._add(self.document.span(path), code, message, hint)

    def at_part(self, path: Path, part: str, code: str, message: str, hint: str) -> None:
        """Note a warning at a part of a text."""
        span = narrow(self.document.span(path), self.document.text, part)
        self._add(span, code, message, hint, Severity.WARNING)

    def _add(
        self, span: Span, code: str, message: str, hint: str, severity: Severity | None = None
    ) -> None:
        self.findings.append(make_finding(code, message, span, hint or None, severity=severity))


def dotted(path: Path) -> str:
    """Return a path as people write it: `properties.mountVolumes.azureFileShares[0]`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")
