"""bai get nodes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bai.runtime.jobs.records import LiveNode
    from bai.session import Session

_YIELDING = ("WORKSPACE", "SINCE")


def show_nodes(session: Session, cluster: str | None, output: str) -> None:
    """Print the nodes of one cluster, or of all.

    Args:
        session: what to ask.
        cluster: the cluster's name; None for all clusters.
        output: `table`, `json`, `yaml` or `name`.
    """
    from bai.compiler.resources.ids import Kind

    clusters = [session.find(Kind.CLUSTER, cluster)] if cluster else session.resources(Kind.CLUSTER)
    found = [node for live in clusters for node in session.provider.nodes(live.id)]
    match output:
        case "name":
            for node in found:
                typer.echo(f"{session.reference(node.cluster)}/{node.name}")
        case "table":
            _table(session, found)
        case _:
            from bai.cli.render.data import list_texts

            shown = map(_data, found)
            sys.stdout.writelines(list_texts(shown, output, is_terminal=sys.stdout.isatty()))


def _data(node: LiveNode) -> dict[str, Any]:
    from bai.runtime.live_wire import error_data, stamp

    return {
        "cluster": str(node.cluster),
        "node": node.node,
        "state": node.state,
        "since": node.since and stamp(node.since),
        "job": node.job and str(node.job),
        "errors": [error_data(error) for error in node.errors],
    }


def _table(session: Session, found: list[LiveNode]) -> None:
    from bai.cli.render.table import age, print_table

    if not found:
        typer.echo(f"there are no nodes in {session.context.state}", err=True)
        return
    head = ["CLUSTER", "WORKSPACE", "NODE", "STATE", "SINCE", "JOB"]
    lines = [
        [
            node.cluster.name,
            node.cluster.workspace,
            node.name,
            node.state,
            age(node.since) if node.since else "",
            f"{node.job.experiment}/{node.job.name}" if node.job else "",
        ]
        for node in found
    ]
    print_table(head, lines, sys.stdout, _YIELDING)
    print_node_errors(session, found)


def print_node_errors(session: Session, nodes: Iterable[LiveNode]) -> None:
    """Print why nodes are unusable, and where the logs of their setup tasks are."""
    for node in nodes:
        for error in node.errors:
            typer.echo(f"\n{session.reference(node.cluster)}/{node.name}: {error.message}")
            if log := error.details.get("log"):
                typer.echo(f"  log  {log}")
