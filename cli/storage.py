"""bai storage ls|cp|rm."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.render.words import counted
from bai.cli.usage import Command, Group

if TYPE_CHECKING:
    from bai.runtime.storage import Storage

app = typer.Typer(
    cls=Group,
    help="Files in storage accounts: azureFile://ACCOUNT/SHARE/PATH, azureFile:SHARE/PATH "
    "for the default account, and the same with azureBlob.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
Url = Annotated[
    str,
    typer.Argument(help="Place in an account: azureFile:SHARE/PATH, for one.", show_default=False),
]
Recursive = Annotated[
    bool, typer.Option("--recursive", "-r", help="Also folders, with all in them.")
]


def _storage(context: str | None) -> Storage:
    from bai.runtime.context import select
    from bai.session import storage_of

    return storage_of(select(context, Path.cwd()))


@app.command("ls", cls=Command)
def ls(url: Url, context: options.ContextName = None) -> None:
    """List a folder."""
    from bai.cli.render.table import print_table

    rows = [
        [
            f"{entry.name}/" if entry.is_directory else entry.name,
            "" if entry.is_directory else str(entry.size),
            entry.modified.astimezone().strftime("%Y-%m-%d %H:%M:%S"),
        ]
        for entry in _storage(context).entries(url)
    ]
    print_table(["NAME", "BYTES", "MODIFIED"], rows, sys.stdout)


@app.command("cp", cls=Command)
def cp(
    source: Annotated[
        str,
        typer.Argument(help="Place in an account, or path on this machine.", show_default=False),
    ],
    target: Annotated[str, typer.Argument(help="The same, to copy to.", show_default=False)],
    recursive: Recursive = False,
    context: options.ContextName = None,
) -> None:
    """Copy files in, out, or inside the storage accounts.

    `-` in the place of a file on this machine is standard input or output.
    """
    storage = _storage(context)
    if target == "-":
        storage.read(source, sys.stdout.buffer)
        return
    if source == "-":
        storage.write(target, sys.stdin.buffer)
        return
    count = storage.copy(source, target, recursive=recursive)
    typer.echo(f"copied {counted(count, 'file')}")


@app.command("rm", cls=Command)
def rm(url: Url, recursive: Recursive = False, context: options.ContextName = None) -> None:
    """Remove a file or a folder."""
    _storage(context).remove(url, recursive=recursive)
    typer.echo(f"removed {url}")
