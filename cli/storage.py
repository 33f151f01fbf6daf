"""bai storage ls|cp|rm."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.terminal import confirm, is_terminal, standard_input
from bai.cli.usage import Command, group
from bai.specs.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bai.output_place import OutputPlace
    from bai.runtime.entries import Entry
    from bai.runtime.storage import Storage

_ALIKE = 0.75
"""How similar the names of two shares must be for one to be the other misspelt."""

app = group(
    "Files in storage accounts: azureFile://ACCOUNT/SHARE/PATH, azureFile:SHARE/PATH "
    "for the default account, and the same with azureBlob. job:NAME/OUTPUT_ID/PATH is what a job "
    "has written to an output, in its newest attempt; stdouterr is the OUTPUT_ID of its logs."
)
Url = Annotated[str, typer.Argument(help="Place in an account: azureFile:SHARE/PATH, for example.")]
Recursive = Annotated[
    bool, typer.Option("--recursive", "-r", help="Also folders, with everything in them.")
]


def _storage(context: str | None) -> Storage:
    from bai.runtime.context import select
    from bai.session import storage_of

    return storage_of(select(context, Path.cwd()))


@app.command("ls", cls=Command)
def ls(
    url: Annotated[
        str | None,
        typer.Argument(
            help="Place in an account; without one, all shares and containers are listed."
        ),
    ] = None,
    recursive: Recursive = False,
    context: options.ContextName = None,
) -> None:
    """List a folder, or the shares of all accounts."""
    if url is not None and url.startswith("job:"):
        written = _output(url, context).entries(recursive=recursive)
        _print_entries((entry, entry.name) for entry in written)
        return
    storage = _storage(context)
    if url is not None:
        _print_entries((entry, entry.name) for entry in storage.entries(url, recursive=recursive))
        return
    shares = storage.all_shares()
    if not shares:
        typer.echo(f"there are no shares in {storage.root}", err=True)
    elif not recursive:
        sys.stdout.writelines(f"{share}\n" for share in shares)
    else:
        found: list[tuple[Entry | None, str]] = []
        for share in shares:
            found.append((None, f"{share}/"))
            inner = storage.entries(share, recursive=True)
            found += [(entry, f"{share}/{entry.name}") for entry in inner]
        _print_entries(found)


def _print_entries(found: Iterable[tuple[Entry | None, str]]) -> None:
    """Print entries, one a line; a share has only its name."""
    from bai.cli.render.table import print_table
    from bai.cli.render.width import printable

    rows = []
    for entry, name in found:
        size = str(entry.size) if entry and not entry.is_directory else ""
        time = entry.modified.astimezone().strftime("%Y-%m-%d %H:%M:%S") if entry else ""
        slash = "/" if entry and entry.is_directory else ""
        rows.append([size, time, printable(f"{name}{slash}")])
    # The names come last: those of a job's outputs are wider than a terminal, and break there.
    lines = [["BYTES", "MODIFIED", "NAME"], *rows]
    width = max(len(size) for size, *_ in lines)
    head, *rows = [[size.rjust(width), *rest] for size, *rest in lines]
    print_table(head, rows, sys.stdout)


@app.command("cp", cls=Command)
def cp(
    source: Annotated[
        str,
        typer.Argument(help="Place in an account, path on this machine, or output of a job."),
    ],
    target: Annotated[str, typer.Argument(help="Place or path to copy to.")],
    recursive: Recursive = False,
    context: options.ContextName = None,
) -> None:
    """Copy files in, out, or inside the storage accounts.

    `-` in the place of a file on this machine is standard input or output. A share that does not
    exist is created, and that is reported. So is what could not be copied from a folder; the exit
    code is 1 then.
    """
    from bai.cli.render.copying import CopyLine
    from bai.cli.render.width import printable

    storage = _storage(context)
    if target.startswith("job:"):
        message = f"{target!r}: only a job itself writes its outputs"
        raise typer.BadParameter(message, param_hint="TARGET")
    if source.startswith("job:"):
        _copy_output(_output(source, context), target, storage, recursive=recursive)
        return
    if target == "-":
        storage.read(source, sys.stdout.buffer)
        return
    before = storage.shares(target)
    if source == "-":
        storage.write(target, standard_input())
    else:
        progress = CopyLine(sys.stderr)
        try:
            copied = storage.copy(source, target, recursive=recursive, watch=progress)
        finally:
            progress.close()
    for created in sorted(storage.shares(target) - before):
        _report_created(created, before)
    if source == "-":
        return
    for left in copied.uncopied:
        typer.echo(printable(f"not copied: {left.path}: {left.reason}"), err=True)
    rest = f"; {len(copied.uncopied)} could not be copied" if copied.uncopied else ""
    typer.echo(f"copied {counted(copied.files, 'file')}{rest}")
    if copied.uncopied:
        raise typer.Exit(Exit.FAILED)


def _output(address: str, context: str | None) -> OutputPlace:
    from bai.cli.sessions import open_session
    from bai.output_place import find_output

    return find_output(open_session(context), address)


def _copy_output(output: OutputPlace, target: str, storage: Storage, *, recursive: bool) -> None:
    if target == "-":
        output.read(sys.stdout.buffer)
        return
    before = storage.shares(target)
    count = output.copy(target, storage, recursive=recursive)
    for created in sorted(storage.shares(target) - before):
        _report_created(created, before)
    typer.echo(f"copied {counted(count, 'file')}")


def _report_created(share: str, others: Iterable[str]) -> None:
    """Report that a share is new, and which existing one has a similar name."""
    from bai.runtime.accounts import share_name
    from bai.specs.names import nearest

    known = {share_name(other): other for other in others}
    meant = nearest(share_name(share), known, cutoff=_ALIKE)
    undo = f"; did you mean {known[meant]}? `bai storage rm -r {share}` removes it" if meant else ""
    typer.echo(f"created {share}{undo}")


@app.command("rm", cls=Command)
def rm(
    url: Url,
    recursive: Recursive = False,
    yes: options.Yes = False,
    context: options.ContextName = None,
) -> None:
    """Remove a file or a folder.

    bai asks before it removes a whole share, or a folder in use by a job that has not ended;
    without a terminal this needs --yes.
    """
    storage = _storage(context)
    if recursive and not yes:
        from bai.cli.sessions import open_session

        storage = open_session(context).storage
        _confirm(url, storage)
    storage.remove(url, recursive=recursive, in_use=True)
    typer.echo(f"removed {url}")


def _confirm(url: str, storage: Storage) -> None:
    """Ask on a terminal, and refuse elsewhere.

    Raises:
        InUseError: a job uses it, and there is no terminal to ask on.
    """
    users, is_share = storage.users_of(url), storage.is_share(url)
    if not (users or is_share):
        return
    if is_terminal():
        jobs = ", ".join(f"job/{name} is {state}" for name, state in users.items())
        used = f" ({jobs} and {'uses' if len(users) == 1 else 'use'} it)" if users else ""
        confirm(f"Remove all of {url}?{used}")
    elif users:
        from bai.runtime.errors import InUseError

        raise InUseError(url, users)
    else:
        typer.echo(f"error: {url} is a whole share: add --yes to remove all of it", err=True)
        raise typer.Exit(Exit.USAGE)
