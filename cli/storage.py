"""bai storage ls|cp|sync|rm."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.terminal import confirm, is_terminal, standard_input
from bai.cli.usage import Command, group
from bai.specs.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bai.output_place import OutputPlace
    from bai.runtime.entries import Entry
    from bai.runtime.storage.comparing import Differences
    from bai.runtime.storage.copying import Copied, Watch
    from bai.runtime.storage.storage import Storage

_ALIKE = 0.75
"""How similar the names of two shares must be for one to be the other misspelt."""

app = group(
    "Files in storage accounts: azureFile://ACCOUNT/SHARE/PATH, azureFile:SHARE/PATH "
    "for the default account, and the same with azureBlob. job:NAME/OUTPUT_ID/PATH is what a job "
    "has written to an output, in its newest attempt; stdouterr is the OUTPUT_ID of its logs."
)
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
            help="Place in an account, also with wildcards (*, ?, [abc]); without one, all shares "
            "and containers are listed."
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
    from bai.runtime.errors import StorageError

    storage = _storage(context)
    if url is not None:
        _print_entries((entry, entry.name) for entry in storage.entries(url, recursive=recursive))
        return
    shares, unread = storage.all_shares(), []
    for account in storage.real:
        try:
            shares += storage.shares(f"azureBlob://{account}/")
        except StorageError as error:
            unread.append(str(error))
    if not (shares or unread):
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
    for reason in unread:
        typer.echo(f"not listed: {reason}", err=True)
    if unread:
        raise typer.Exit(Exit.FAILED)


def _print_entries(found: Iterable[tuple[Entry | None, str]]) -> None:
    """Print entries, one a line; a share has only its name."""
    from bai.cli.render.table import print_table
    from bai.cli.render.width import printable

    rows = []
    for entry, name in found:
        size = str(entry.size) if entry and not entry.is_directory else ""
        modified = entry and entry.modified
        time = modified.astimezone().strftime("%Y-%m-%d %H:%M:%S") if modified else ""
        slash = "/" if entry and entry.is_directory else ""
        rows.append([size, time, printable(f"{name}{slash}")])
    # The names come last: those of a job's outputs are wider than a terminal, and break there.
    lines = [["BYTES", "MODIFIED", "NAME"], *rows]
    width = max(len(size) for size, *_ in lines)
    head, *rows = [[size.rjust(width), *rest] for size, *rest in lines]
    print_table(head, rows, sys.stdout)


@app.command("cp", cls=Command)
def cp(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Places in accounts, paths on this machine, or output of a job.",
        ),
    ],
    target: Annotated[str, typer.Argument(help="Place or path to copy to.")],
    recursive: Recursive = False,
    context: options.ContextName = None,
) -> None:
    """Copy files in, out, or inside the storage accounts.

    Several sources, and what fits wildcards (*, ?, [abc]), are copied into the folder TARGET. `-`
    in the place of a file on this machine is standard input or output. A share that does not exist
    is created, and that is reported. So is what could not be copied from a folder; the exit code is
    1 then.
    """
    storage = _storage(context)
    if target.startswith("job:"):
        message = f"{target!r}: only a job itself writes its outputs"
        raise typer.BadParameter(message, param_hint="TARGET")
    if sources[1:]:
        _copy_all(sources, target, storage, recursive=recursive)
        return
    (source,) = sources
    if source.startswith("job:"):
        output = _output(source, context)
        if target == "-":
            output.read(sys.stdout.buffer)
        else:
            _report(output.copy(target, storage, recursive=recursive), storage)
    elif target == "-":
        storage.read(source, sys.stdout.buffer)
    elif source == "-":
        if created := storage.write(target, standard_input()):
            _report_created(created, storage)
    else:
        with _progress() as watch:
            copied = storage.copy(source, target, recursive=recursive, watch=watch)
        _report(copied, storage)


def _copy_all(sources: Sequence[str], target: str, storage: Storage, *, recursive: bool) -> None:
    """Copy several sources into a folder.

    Raises:
        typer.BadParameter: one of them has to be copied alone.
    """
    for name in (*sources, target):
        if name == "-" or name.startswith("job:"):
            what = "the output of a job" if name != "-" else "standard input or output"
            raise typer.BadParameter(f"{name!r} is one of several: {what} is copied alone")
    with _progress() as watch:
        copied = storage.copy_all(sources, target, recursive=recursive, watch=watch)
    _report(copied, storage)


@contextmanager
def _progress() -> Iterator[Watch]:
    """Show on a terminal how far a copy is, until it ends."""
    from bai.cli.render.copying import CopyLine

    progress = CopyLine(sys.stderr)
    try:
        yield progress
    finally:
        progress.close()


def _report(copied: Copied, storage: Storage, more: str = "") -> None:
    """Print what was copied, and what was not."""
    from bai.cli.render.width import printable

    if copied.created:
        _report_created(copied.created, storage)
    for left in copied.uncopied:
        typer.echo(printable(f"not copied: {left.path}: {left.reason}"), err=True)
    rest = f"; {len(copied.uncopied)} could not be copied" if copied.uncopied else ""
    typer.echo(f"copied {counted(copied.files, 'file')}{more}{rest}")
    if copied.uncopied:
        raise typer.Exit(Exit.FAILED)


def _output(address: str, context: str | None) -> OutputPlace:
    from bai.cli.sessions import open_session
    from bai.output_place import find_output

    return find_output(open_session(context), address)


def _report_created(share: str, storage: Storage) -> None:
    """Report that a share is new, and which existing one has a similar name."""
    from bai.runtime.storage.missing import share_name
    from bai.specs.names import nearest

    known = {share_name(other): other for other in storage.shares(share) if other != share}
    meant = nearest(share_name(share), known, cutoff=_ALIKE)
    undo = f"; did you mean {known[meant]}? `bai storage rm -r {share}` removes it" if meant else ""
    typer.echo(f"created {share}{undo}")


@app.command("sync", cls=Command)
def sync(
    source: Annotated[str, typer.Argument(help="Folder in an account, or on this machine.")],
    target: Annotated[str, typer.Argument(help="Folder to make like it.")],
    delete: Annotated[
        bool, typer.Option("--delete", help="Also remove what is in TARGET alone.")
    ] = False,
    yes: options.Yes = False,
    context: options.ContextName = None,
) -> None:
    """Make a folder like another one.

    Files are copied that differ by their sizes or checksums. With --delete, bai asks before it
    removes anything; without a terminal this needs --yes.
    """
    for each in (source, target):
        if each == "-" or each.startswith("job:"):
            raise typer.BadParameter(f"{each!r}: only folders are synchronised")
    storage = _storage(context)
    if delete and not yes:
        from bai.cli.sessions import open_session

        storage = open_session(context).storage
    differences = storage.compare(source, target, delete=delete)
    if differences.extra and not yes:
        _confirm_removal(differences, storage)
    with _progress() as watch:
        done = storage.carry_out(differences, watch=watch)
    removed = f", removed {counted(done.removed, 'file')}" if delete else ""
    _report(done.copied, storage, f"{removed}, {done.unchanged} unchanged")


def _confirm_removal(differences: Differences, storage: Storage) -> None:
    """Ask on a terminal whether what is in the target alone may go, and refuse elsewhere.

    Raises:
        InUseError: a job uses it, and there is no terminal to ask on.
    """
    target = differences.target.name
    users = storage.users_of(target)
    files = counted(differences.extra_files, "file")
    if is_terminal():
        confirm(f"Remove {files} of {target}?{_used(users)}")
    elif users:
        from bai.runtime.errors import InUseError

        raise InUseError(target, users)
    else:
        them = "it" if differences.extra_files == 1 else "them"
        message = f"{files} would be removed from {target}: add --yes to remove {them}"
        typer.echo(f"error: {message}", err=True)
        raise typer.Exit(Exit.USAGE)


def _used(users: Mapping[str, str]) -> str:
    """Return what a question says of the jobs that use a folder."""
    jobs = ", ".join(f"job/{name} is {state}" for name, state in users.items())
    return f" ({jobs} and {'uses' if len(users) == 1 else 'use'} it)" if users else ""


@app.command("rm", cls=Command)
def rm(
    urls: Annotated[
        list[str],
        typer.Argument(
            metavar="URL...",
            help="Places in accounts, also with wildcards (*, ?, [abc]): 'azureFile:SHARE/*.bin'.",
        ),
    ],
    recursive: Recursive = False,
    yes: options.Yes = False,
    context: options.ContextName = None,
) -> None:
    """Remove files or folders.

    bai asks before it removes a whole share, or a folder in use by a job that has not ended;
    without a terminal this needs --yes.
    """
    storage = _storage(context)
    if recursive and not yes:
        from bai.cli.sessions import open_session

        storage = open_session(context).storage
        for each in dict.fromkeys(one for url in urls for one in storage.matching(url)):
            _confirm(each, storage)
    for url in storage.remove_all(urls, recursive=recursive, in_use=True):
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
        confirm(f"Remove all of {url}?{_used(users)}")
    elif users:
        from bai.runtime.errors import InUseError

        raise InUseError(url, users)
    else:
        typer.echo(f"error: {url} is a whole share: add --yes to remove all of it", err=True)
        raise typer.Exit(Exit.USAGE)
