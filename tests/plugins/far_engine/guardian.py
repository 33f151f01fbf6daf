"""The processes that run an attempt, with an agent for each of its nodes.

An agent has a mount namespace of its own, in which the state folder holds nothing but what nodes
share: the folders of attempts, storage accounts and file servers. It has a few variables of its
own, none of the supervisor's, and a clock that is thousands of seconds ahead.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from bai.runtime import guardian
from bai.runtime.node.own_python import own_python
from bai.runtime.node.spawned import Host, SpawnedAgents

_KEPT = ("PATH", "HOME", "CONTAINERS_CONF")
_HIDE = """
set -e
state=$1; shift
mount -t tmpfs tmpfs /mnt
for name in jobs nodes storage fileservers; do
    mkdir -p "$state/$name" "/mnt/$name"
    mount --bind "$state/$name" "/mnt/$name"
done
mount -t tmpfs tmpfs "$state"
for name in jobs nodes storage fileservers; do
    mkdir "$state/$name"
    mount --bind "/mnt/$name" "$state/$name"
done
cd /
exec env -i "$@"
"""


def main() -> None:
    """Run an attempt once, unless another process does or did."""
    guardian.guard_attempt(lambda spec: agents(spec.folder, spec.nodes))


def agents(folder: str, nodes: Sequence[int]) -> SpawnedAgents:
    """Return the agents of nodes, for what has a folder in the state folder's `jobs` or `nodes`."""
    hosts = [Host(f"host{node}", _command(folder, node), "127.0.0.1") for node in nodes]
    return SpawnedAgents(hosts, Path(folder, "agents.log"))


def _command(folder: str, node: int) -> list[str]:
    state = str(Path(folder).parents[1])
    offset = str(1000 * (node + 1))
    own = ["unshare", "--mount", "--time", "--monotonic", offset, "--fork", "--kill-child"]
    variables = [f"{name}={os.environ[name]}" for name in _KEPT if name in os.environ]
    return [*own, "sh", "-c", _HIDE, "sh", state, *variables, *own_python("bai.runtime.node.agent")]
