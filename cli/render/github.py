"""Findings as workflow commands, which GitHub Actions shows beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from bai.cli.render.formats import Run, one_line
from bai.cli.render.width import printable
from bai.specs.findings import Finding, Span

# As in actions/toolkit, packages/core/src/command.ts.
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def write(findings: Iterable[Finding], file: IO[str], run: Run) -> None:  # noqa: ARG001
    """Write `::error file=...,line=...,title=CODE::message`, one line for each finding."""
    for finding in findings:
        properties = _place(finding.span) if finding.span else {}
        properties["title"] = f"bai {finding.code}"
        listed = ",".join(f"{name}={v.translate(_PROPERTY)}" for name, v in properties.items())
        message = printable(one_line(finding)).translate(_DATA)
        file.write(f"::{finding.severity.value} {listed}::{message}\n")


def _place(span: Span) -> dict[str, str]:
    place = {"file": printable(span.file), "line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:
        # GitHub takes columns only where both are of one line.
        place |= {"col": str(span.column), "endColumn": str(span.end_column)}
    return place
