"""One line for each finding: `file:line:column: CODE message`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from bai.cli.render.formats import Run, one_line
from bai.cli.render.width import printable
from bai.specs.findings import Finding


def write(findings: Iterable[Finding], file: IO[str], run: Run) -> None:  # noqa: ARG001
    """Write findings as editors and `grep` take them."""
    for finding in findings:
        place = f"{finding.span}: " if finding.span else ""
        file.write(printable(place + one_line(finding)) + "\n")
