"""The names that Horovod has.

They are those of Horovod 0.28.1, from the `__init__.py` of each of its parts: `parts` in
horovod_api.json. `KNOWN` also has the names of other versions, and internal ones: `other`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

FRAMEWORKS: Final = frozenset({"torch", "tensorflow", "keras", "mxnet"})
"""Parts of Horovod whose users call init. horovod.spark, .ray and .runner do it themselves."""
COLLECTIVES: Final = frozenset(
    f"{group}{name}{ending}"
    for group in ("", "grouped_")
    for name in ("allreduce", "allgather", "broadcast", "alltoall", "reducescatter")
    for ending in ("", "_", "_async", "_async_")
) | {
    *("allgather_object", "barrier", "broadcast_global_variables", "broadcast_object"),
    *("broadcast_optimizer_state", "broadcast_parameters", "broadcast_variables", "join"),
}
"""Functions of Horovod that need all ranks to call them."""
QUERIES: Final = frozenset({"rank", "size", "local_rank", "local_size", "cross_rank", "cross_size"})
"""Functions that raise ValueError before init. Those on how Horovod was built do not."""
INITIAL_BROADCASTS: Final = frozenset(
    {"broadcast_parameters", "broadcast_optimizer_state", "broadcast_global_variables"}
    | {"broadcast_variables", "BroadcastGlobalVariablesHook", "BroadcastGlobalVariablesCallback"}
)
"""What makes all ranks start with the same weights."""

_DATA: Final = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
PARTS: Final[Mapping[str, frozenset[str]]] = {
    part: frozenset(names) for part, names in _DATA["parts"].items()
}
"""Horovod, a part of it or a namespace in most parts -> its names."""
KNOWN: Final = frozenset(_DATA["other"]).union(*PARTS.values())
"""All names that any part has in any version, including internal ones."""
