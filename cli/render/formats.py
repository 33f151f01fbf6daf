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
    from bai.specs.findings import Finding

FORMATS: Final = {
    "text": "findings",
    "terse": "terse",
    "json": "json_",
    "sarif": "sarif",
    "github": "github",
}
"""Name of a format -> its module in this package."""


class Run(NamedTuple):
    """The context of a report, besides the findings."""

    sources: Sources
    """The files of the findings."""
    folder: Path | None = None
    """What relative paths are relative to; None for the working directory."""
    offers_fixes: bool = False
    """Whether the command has --fix, and was not given it."""


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
