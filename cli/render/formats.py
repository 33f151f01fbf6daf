"""The formats that findings are written in, by name.

Each is a module with a function `write(findings, file, run)`, imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
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


class RuleText(NamedTuple):
    """The text of a rule in a report."""

    code: str
    title: str
    """What is wrong, in a few words."""
    help: str
    """Why it matters and what to do, in plain text."""
    severity: Severity


class Run:
    """The context of a report, besides the findings."""

    def __init__(
        self,
        sources: Sources | None = None,
        rules: Callable[[], Iterable[RuleText]] = tuple,
        folder: Path | None = None,
        *,
        offers_fixes: bool = False,
    ) -> None:
        """Collect what reports need besides the findings.

        Args:
            sources: the files of the findings; by default they are read when they are shown.
            rules: returns the rules that were checked; called by formats that list them.
            folder: what relative paths are relative to; by default the working directory.
            offers_fixes: whether the command has --fix, and was not given it.
        """
        from bai.cli.render.sources import Sources

        self.sources = sources or Sources()
        self.rules = rules
        self.folder = folder or Path.cwd()
        self.offers_fixes = offers_fixes


Writer = Callable[["Iterable[Finding]", IO[str], Run], None]


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
