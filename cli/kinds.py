"""The kinds of resources, by the names that people type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from bai.compiler.resources.ids import Kind


def parse_name(kind: str, name: str | None) -> tuple[Kind, str | None]:
    """Return a kind and a name that are written in two words, or in one as KIND/NAME.

    Raises:
        typer.BadParameter: there is no such kind; the message names the nearest.
    """
    from bai.compiler.resources.ids import Kind

    if name is None and "/" in kind:
        kind, _, name = kind.partition("/")
    try:
        return Kind.named(kind), name
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="KIND") from None
