"""A report as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from bai.html_report.contents import JobContents, stamp
from bai.html_report.timeline import Timeline

if TYPE_CHECKING:
    from jinja2 import Environment

_PACKAGE: Final = "bai.html_report"


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture."""

    title: str
    svg: str
    """An `svg` element."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a heading of its own."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """What is on the page, from top to bottom."""

    title: str
    outcome: str
    job: JobContents | None = None
    """The job that the report is about; None if it is about a sweep."""
    first_tables: Sequence[Table] = ()
    timeline: Timeline | None = None
    charts: Sequence[Chart] = ()
    charts_note: str = ""
    last_tables: Sequence[Table] = ()
    members: Sequence[JobContents] = ()
    """Those jobs of a sweep that are shown in full."""
    written: datetime = field(default_factory=lambda: datetime.now(UTC))


def html_of(page: Page) -> str:
    """Return a page as HTML."""
    values: dict[str, Any] = {name: getattr(page, name) for name in Page.__slots__}
    template = _environment().get_template("page.html")
    return template.render(values, style=_text("page.css"), version=metadata.version("bai"))


def _text(name: str) -> str:
    """Return a file of this package."""
    return files(_PACKAGE).joinpath(name).read_text("utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["stamp"] = stamp
    return environment
