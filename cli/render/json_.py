"""Findings as JSON, for programs.

One object::

    {
      "format_version": "1.0",
      "findings": [FINDING, ...],
      "error_count": 1,
      "warning_count": 0
    }

A FINDING stands on a line of its own, with all of these keys::

    {
      "code": "BAI201",
      "severity": "error",                  or "warning"
      "message": "unknown key 'nodecount'",
      "hint": "did you mean nodeCount?",    or null
      "span": SPAN,                         or null where no file is involved
      "source": "  nodecount: 2",           the line where the span starts, or null
      "fix": {"edits": [{"span": SPAN, "text": "nodeCount"}]}   or null
    }

A SPAN is `{"file": "job.yaml", "start": PLACE, "end": PLACE}`, its end exclusive. A PLACE is
`{"line": 3, "column": 5, "byte": 40}`: lines and columns count from 1, columns in characters;
`byte` counts from 0, in UTF-8, and is null where the file can't be read again.

The second number of `format_version` grows with new keys, the first with any other change.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import IO, Any

from bai.cli.render.formats import Run
from bai.cli.render.sources import Sources
from bai.specs.findings import Finding, Fix, Severity, Span

FORMAT_VERSION = "1.0"


def write(findings: Iterable[Finding], file: IO[str], run: Run) -> None:
    """Write one JSON object."""
    file.write(f'{{"format_version": "{FORMAT_VERSION}", "findings": [')
    counts: Counter[Severity] = Counter()
    for number, finding in enumerate(run.sources.hiding(findings)):
        counts[finding.severity] += 1
        file.write(",\n" if number else "\n")
        file.write(json.dumps(_finding(finding, run.sources)))
    file.write("\n]" if counts else "]")
    file.write(f', "error_count": {counts[Severity.ERROR]}')
    file.write(f', "warning_count": {counts[Severity.WARNING]}}}\n')


def _finding(finding: Finding, sources: Sources) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "hint": finding.hint,
        "span": _span(finding.span, sources) if finding.span else None,
        "source": sources.line(finding),
        "fix": _fix(finding.fix, sources) if finding.fix else None,
    }


def _fix(fix: Fix, sources: Sources) -> dict[str, Any]:
    return {"edits": [{"span": _span(e.span, sources), "text": e.text} for e in fix.edits]}


def _span(span: Span, sources: Sources) -> dict[str, Any]:
    def place(line: int, column: int) -> dict[str, int | None]:
        return {"line": line, "column": column, "byte": sources.byte(span.file, line, column)}

    start, end = place(span.line, span.column), place(span.end_line, span.end_column)
    return {"file": span.file, "start": start, "end": end}
