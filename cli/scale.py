"""bai scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.sessions import open_session

if TYPE_CHECKING:
    from bai.session import Session


def scale(
    cluster: Annotated[str, typer.Argument(help="Cluster, as NAME or cluster/NAME.")],
    nodes: Annotated[
        int, typer.Option("--nodes", metavar="N", help="How many nodes it is to have.", min=0)
    ],
    deallocation: Annotated[
        str,
        typer.Option(
            "--deallocation",
            metavar="OPTION",
            help="What happens to jobs on nodes that go: requeue, terminate or "
            "waitForJobCompletion.",
        ),
    ] = "requeue",
    detach: Annotated[
        bool, typer.Option("--detach", "-d", help="Do not wait for nodes that go or are prepared.")
    ] = False,
    context: options.ContextName = None,
) -> None:
    """Give a cluster a fixed number of nodes."""
    from bai.session import DEALLOCATIONS

    options.one_of(deallocation, DEALLOCATIONS, "--deallocation")
    session = open_session(context)
    wanted = session.scaled(cluster, nodes, deallocation)
    id, before = wanted.id, len(session.provider.nodes(wanted.id))
    for sentence in session.provider.consequences(wanted):
        options.note(f"note: {sentence}")
    session.scale(cluster, nodes, deallocation, wait=False)
    if not detach:
        _await_nodes(session, cluster)
    counts = session.provider.node_states(id)
    busy = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    typer.echo(f"{session.label(id)} scaled from {before} to {nodes} nodes{busy and f': {busy}'}")


def _await_nodes(session: Session, cluster: str) -> None:
    """Wait until a cluster has its nodes, and say what for.

    Raises:
        typer.Exit: Ctrl-C was pressed. The cluster gets its nodes all the same.
    """
    leaving = (node.job for node in session.nodes(cluster) if node.state == "leaving")
    jobs = dict.fromkeys(session.reference(job) for job in leaving if job)
    try:
        if jobs:
            options.note(f"waits for nodes that go, with {', '.join(jobs)}; --detach does not wait")
        session.await_nodes(cluster)
    except KeyboardInterrupt:
        options.note("the cluster goes on changing: `bai get nodes` shows how far it is")
        raise typer.Exit(Exit.INTERRUPTED) from None
