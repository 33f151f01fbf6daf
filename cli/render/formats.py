"""The formats that findings are written in, by name.

Each is a module with a function `write(findings, file, run)`, imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, Final

from bai.cli.render.sources import Sources
from bai.specs.findings import Finding, Severity

FORMATS: Final = {
    "text": "findings",
    "terse": "terse",
    "json": "json_",
    "sarif": "sarif",
    "github": "github",
}
"""Name of a format -> its module in this package."""


@dataclass(frozen=True, slots=True)
class RuleText:
    """What a report says about a rule."""

    code: str
    title: str
    """What is wrong, in a few words."""
    help: str
    """Why it matters and what to do, in plain text."""
    severity: Severity


@dataclass(frozen=True, slots=True)
class Run:
    """What a report may tell besides the findings."""

    sources: Sources = field(default_factory=Sources)
    rules: Callable[[], Iterable[RuleText]] = tuple
    """Returns the rules that were checked; called by formats that list them."""
    folder: Path = field(default_factory=Path.cwd)
    """What relative paths are relative to."""


Writer = Callable[[Iterable[Finding], IO[str], Run], None]


def writer(name: str) -> Writer:
    """Return the function that writes a format.

    Raises:
        KeyError: there is no such format.
    """
    module = import_module(f"bai.cli.render.{FORMATS[name]}")
    write: Writer = module.write
    return write


def one_line(finding: Finding) -> str:
    """Return a finding's code, message and hint without line breaks."""
    hint = f" ({finding.hint})" if finding.hint else ""
    return " ".join(f"{finding.code} {finding.message}{hint}".splitlines())
