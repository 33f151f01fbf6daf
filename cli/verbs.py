"""The verbs of `bai` as one Typer app.

A verb's module is imported when it is called, or asked for its help.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperCommand

from bai.cli.usage import Command, Group

GROUPS: Final = {
    "Begin": {
        "init": ("init", "Write a first spec, and a script if there is none."),
    },
    "Check": {
        "lint": ("lint", "Check specs and Batch AI's own files without running anything."),
        "explain": ("explain", "Explain a key of the language, or a finding."),
        "rules": ("rules", "List all codes of findings, or explain one."),
    },
    "Run": {
        "apply": ("apply", "Create what specs declare, start their jobs and follow them."),
        "diff": ("diff", "Show what apply would do."),
    },
    "Manage what runs": {
        "get": ("get", "List jobs, clusters and other resources."),
        "describe": ("describe", "Show one resource in full."),
        "logs": ("logs", "Print what a job's processes wrote."),
        "metrics": (
            "metrics",
            "Show or draw what jobs reported, and what they used.",
        ),
        "report": ("report", "Write a page about a job or a sweep, for any browser."),
        "tensorboard": (
            "tensorboard",
            "Show jobs' event files in TensorBoard, until Ctrl-C.",
        ),
        "wait": ("wait", "Wait for jobs."),
        "cancel": ("cancel", "End jobs with all their processes, and await their end."),
        "scale": ("scale", "Give a cluster a fixed number of nodes."),
        "delete": ("delete", "Delete resources and everything in them."),
        "storage": ("storage", "List, copy, sync and remove files in storage accounts."),
        "context": ("context", "Show and choose the contexts of bai.toml: the places to run."),
    },
    "Convert": {
        "compile": ("compile_", "Print the Batch AI resources that specs compile to."),
        "import": ("import_", "Turn Batch AI's own files into a compact spec."),
    },
    "Editors": {
        "lsp": ("lsp", "Run the language server for editors."),
        "schema": ("schema", "Print the JSON Schema of specs, for editors."),
    },
}
"""Heading in `bai --help` -> name of a verb -> module in this package, and the line about it.

A module has the name of its function; one with verbs below its own has a Typer `app`.
"""

VERBS: Final = {name: entry for verbs in GROUPS.values() for name, entry in verbs.items()}


class Verbs(Group):
    """The group of all verbs; their help lines need no import of their modules."""

    def __init__(self, **more: Any) -> None:
        """Begin with commands that have a name and a line of help, and nothing behind them."""
        super().__init__(**more)
        self.commands = {name: TyperCommand(name, help=line) for name, (_, line) in VERBS.items()}

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer's
        """Write the verbs in groups."""
        width = max(map(len, VERBS))
        for heading, verbs in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), line) for name, (_, line) in verbs.items()])

    # The classes behind these are click's, or typer's own copy of them in later versions.
    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return (name, command, arguments) of what is called. Here it is imported."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, load(name) if name and command else command, rest


def load(name: str) -> Any:
    """Return the command of a verb.

    Raises:
        KeyError: there is no such verb.
    """
    home, _ = VERBS[name]
    module = import_module(f"bai.cli.{home}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name, cls=Command)(getattr(module, home))
    return typer.main.get_command(app)


app = typer.Typer(
    cls=Verbs,
    name="bai",
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
