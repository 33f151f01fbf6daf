"""bai schema."""

from __future__ import annotations

import json

import typer


def schema() -> None:
    """Print the JSON Schema of specs, for editors."""
    from bai.specs.schema import spec_schema

    typer.echo(json.dumps(spec_schema(), indent=2))
