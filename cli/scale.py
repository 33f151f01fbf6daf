"""bai scale."""

from __future__ import annotations

from typing import Annotated

import typer

from bai.cli import options
from bai.cli.sessions import open_session


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
            "waitforjobcompletion.",
        ),
    ] = "requeue",
    detach: Annotated[
        bool, typer.Option("--detach", "-d", help="Do not wait for nodes that go or are prepared.")
    ] = False,
    context: options.ContextName = None,
) -> None:
    """Give a cluster a fixed number of nodes."""
    from bai.compiler.resources.ids import Kind
    from bai.runtime.scheduling.records import Deallocation

    options.one_of(deallocation, tuple(Deallocation), "--deallocation")
    session = open_session(context)
    id = session.find(Kind.CLUSTER, cluster).id
    before = len(session.nodes(cluster))
    session.scale(cluster, nodes, deallocation, wait=not detach)
    counts = session.provider.node_states(id)
    busy = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    typer.echo(f"{session.label(id)} scaled from {before} to {nodes} nodes{busy and f': {busy}'}")
