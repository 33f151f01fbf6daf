"""The files that the engine itself makes for a job: directories, host file, execution logs."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bai.runtime.engines.environment import node_id
from bai.runtime.engines.paths import AttemptPaths


def suffix(node: int, nodes: int) -> str:
    """Return what the names of a node's logs end with, where there are several nodes."""
    return f"-{node_id(node)}" if nodes > 1 else ""


def make_directories(paths: AttemptPaths, slots: Sequence[int]) -> None:
    """Make the directories that a job finds, and the host file.

    Args:
        paths: the attempt's paths.
        slots: number of processes of each node.

    Raises:
        OSError: the disk is full, or a directory can't be written.
    """
    folders = [paths.stdouterr, paths.shared_temp, *paths.outputs.values()]
    for folder in [*folders, *map(paths.temp, range(len(slots)))]:
        folder.mkdir(parents=True, exist_ok=True)
    lines = [f"127.0.0.1 slots={count} # {node_id(node)}\n" for node, count in enumerate(slots)]
    paths.host_file.write_text("".join(lines))


class ExecutionLog:
    """The execution log of every node: what was done, and when."""

    def __init__(self, folder: Path, nodes: int) -> None:
        """Log into a folder, which need not exist as long as nothing is logged."""
        self._paths = [folder / f"execution{suffix(node, nodes)}.log" for node in range(nodes)]

    def write(self, message: str) -> None:
        """Append a line with the time; errors of writing are ignored."""
        line = f"{datetime.now(UTC).isoformat(timespec='milliseconds')} {message}\n"
        for path in self._paths:
            with contextlib.suppress(OSError), path.open("a") as file:
                file.write(line)
