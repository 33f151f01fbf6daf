"""The verbs of `bai` as one Typer app."""

from __future__ import annotations

import typer

from bai.cli.verbs import Verbs

app = typer.Typer(
    cls=Verbs,
    name="bai",
    help="Compile one compact YAML experiment spec, and run it.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from bai import __version__

        typer.echo(f"bai {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Compile one compact YAML experiment spec, and run it."""
