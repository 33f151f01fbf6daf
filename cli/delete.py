"""bai delete."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.sessions import open_session, up_to_date
from bai.cli.terminal import confirm, is_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bai.compiler.resources.ids import Kind, ResourceId
    from bai.session import Session


def delete(
    kind: Annotated[
        str | None,
        typer.Argument(
            help="job, cluster, experiment, fileServer or workspace; or a spec, as for -f."
        ),
    ] = None,
    names: Annotated[
        list[str] | None, typer.Argument(help="Their names; or write KIND/NAME for each.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            "-f",
            metavar="FILE",
            help="Delete the resources that this spec, or the specs in this folder, declare.",
        ),
    ] = None,
    parameter: options.Parameter = None,
    parameters: options.ParametersFile = None,
    yes: options.Yes = False,
    context: options.ContextName = None,
) -> None:
    """Delete resources and everything in them.

    Running jobs are cancelled first. On a terminal bai asks; without one, --yes is needed where a
    job runs, or a workspace is not empty. Files in storage are kept. With --file, everything that
    other resources need is kept, and a workspace that has no document of its own. Exit code: 0 all
    are deleted, 2 one does not exist, and none was deleted, or one is used by a job that stays.
    """
    from bai.cli.spec_files import checked_specs
    from bai.cli.steps import report_steps

    if file is None and kind is not None and not names and _is_path(kind):
        file, kind = Path(kind), None
    if (file is None) == (kind is None):
        raise typer.BadParameter("give them, or -f FILE", param_hint="KIND and NAME")
    if file is None and (parameter or parameters):
        raise typer.BadParameter("they go with -f FILE", param_hint="-p and --parameters")
    if file is not None:
        experiment = checked_specs([file], context, parameter, parameters)
        session = up_to_date(experiment.open())
        ids, kept = experiment.deletion(session)
        for id in kept:
            options.note(f"{session.label(id)} is kept: other resources need it")
    else:
        wanted = list(_wanted(kind or "", names or []))
        session = open_session(context)
        ids = _without_inner([session.find(*each).id for each in wanted])
    if not ids:
        typer.echo("nothing to delete")
        return
    if not yes:
        _confirm(ids, session)
    # Asked first: what is gone makes other names shorter.
    labels = {id: session.label(id) for id in ids}
    report_steps(_deleted(labels, session), lambda label: typer.echo(f"{label} deleted"))


def _is_path(word: str) -> bool:
    """Return whether a word is a file or folder, and no kind, KIND/NAME included."""
    from bai.compiler.resources.ids import Kind

    try:
        Kind.named(word.partition("/")[0])
    except ValueError:
        return Path(word).exists()
    return False


def _wanted(kind: str, names: Sequence[str]) -> Iterator[tuple[Kind, str]]:
    """Iterate over the kinds and names of `job a b`, or of `job/a cluster/b`.

    Raises:
        typer.BadParameter: there is no such kind, or no name.
    """
    words: Sequence[tuple[str, str | None]] = [(kind, name) for name in names] or [(kind, None)]
    if "/" in kind:
        words = [(each, None) for each in (kind, *names)]
    for word, name in words:
        wanted, called = options.parse_name(word, name)
        if called is None:
            raise typer.BadParameter(f"which {wanted.singular}?", param_hint="NAME")
        yield wanted, called


def _without_inner(ids: Sequence[ResourceId]) -> list[ResourceId]:
    """Return resources, each once, in an order in which they can be deleted.

    What is in another one of them goes with that.
    """
    from bai.compiler.resources.ids import Kind

    outer = dict.fromkeys(
        id for id in ids if not any(id.is_below(other) for other in ids if id != other)
    )
    return sorted(outer, key=lambda id: -list(Kind).index(id.kind))


def _deleted(labels: Mapping[ResourceId, str], session: Session) -> Iterator[str]:
    """Delete resources, and iterate over the labels of those that are."""
    for id, label in labels.items():
        session.delete(id)
        yield label


def _confirm(ids: Sequence[ResourceId], session: Session) -> None:
    """Ask on a terminal; elsewhere refuse only what would end a job, or take all of a workspace."""
    from bai.compiler.resources.ids import Kind

    spaces = [id for id in ids if id.kind is Kind.WORKSPACE]
    held = [holding for id in spaces if (holding := _held(id, ids, session))]
    alive = {
        live.id: f"{session.label(live.id)} is {live.attempt.state}"
        for live in session.resources(Kind.JOB)
        if live.attempt and not live.attempt.state.ended and any(map(live.id.is_below, ids))
    }
    if is_terminal():
        names = ", ".join(map(session.label, ids))
        more = "; ".join([*held, *alive.values()])
        confirm(f"Delete {names}?{f' ({more})' if more else ''}")
    elif alive:
        typer.echo(f"error: {', '.join(alive.values())}: add --yes to end what runs", err=True)
        raise typer.Exit(Exit.USAGE)
    elif held:
        typer.echo(f"error: {'; '.join(held)}: add --yes to delete all of it", err=True)
        raise typer.Exit(Exit.USAGE)


def _held(id: ResourceId, others: Sequence[ResourceId], session: Session) -> str:
    """Return what a workspace holds beside others to delete, in a sentence; nothing if empty."""
    from bai.compiler.resources.ids import Kind
    from bai.specs.words import counted

    below = [
        live.id.kind
        for kind in Kind
        for live in session.resources(kind)
        if live.id not in others and live.id.is_below(id)
    ]
    counts = ", ".join(counted(count, kind.singular) for kind, count in Counter(below).items())
    return f"{session.label(id)} holds {counts}" if below else ""
