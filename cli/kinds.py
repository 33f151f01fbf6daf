"""The kinds of resources, by the names that people type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from bai.compiler.resources.ids import Kind


def parse_kind(text: str) -> Kind:
    """Return the kind of a name in singular, plural or short.

    Raises:
        typer.BadParameter: there is no such kind; the message names the nearest.
    """
    from bai.compiler.resources.ids import Kind
    from bai.specs.names import suggestion

    short = {
        "ws": Kind.WORKSPACE,
        "exp": Kind.EXPERIMENT,
        "fs": Kind.FILE_SERVER,
        "cl": Kind.CLUSTER,
    }
    names = {kind.value.lower(): kind for kind in Kind} | short
    names |= {kind.singular.lower(): kind for kind in Kind}
    if (found := names.get(text.lower())) is None:
        plurals = [kind.value for kind in Kind]
        hint = suggestion(text, plurals)
        raise typer.BadParameter(f"there is no kind {text!r} ({hint})", param_hint="KIND")
    return found
