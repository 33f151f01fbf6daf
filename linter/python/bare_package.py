"""Where a Python script looks in the package `horovod` for what only its frameworks' parts have."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from bai.linter.python.bindings import Bindings
from bai.linter.python.horovod_names import COLLECTIVES
from bai.linter.python.horovod_order import QUESTIONS
from bai.linter.python.results import BareUse
from bai.linter.python.syntax_tree import dotted_name

_IN_PARTS = (
    COLLECTIVES
    | QUESTIONS
    | {"init", "shutdown", "is_initialized", "mpi_built", "nccl_built", "gloo_built", "Compression"}
    | {"DistributedOptimizer", "DistributedGradientTape", "DistributedTrainer", "callbacks"}
)
"""What `horovod.torch` and its like have; `horovod` itself has `run` and no more."""
_PARTS = {"keras": "horovod.keras", "mxnet": "horovod.mxnet", "torch": "horovod.torch"}
"""A framework -> its part of Horovod. TensorFlow has two."""


def bare_use(nodes: Sequence[ast.AST], bound: Bindings) -> BareUse | None:
    """Return the first use of the bare package that fails, if any; `nodes` are all nodes."""
    bare: dict[str, list[int]] = {}  # name of the package -> ids of its imports
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "horovod" or (
                    alias.name.startswith("horovod.") and not alias.asname
                ):
                    bare.setdefault(alias.asname or "horovod", []).append(id(alias))
    certain = {
        name for name, imports in bare.items() if all(id(each) in imports for each in bound[name])
    }
    uses = [
        node
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in certain
        and node.attr in _IN_PARTS
    ]
    if not uses:
        return None
    first = min(uses, key=lambda node: (node.lineno, node.col_offset))
    return BareUse(first.lineno, dotted_name(first), _part(nodes))


def _part(nodes: Sequence[ast.AST]) -> str | None:
    """Return the part of Horovod for the framework that a script imports; None if not sure."""
    imported: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.update(f"{node.module}.{alias.name}" for alias in node.names)
    roots = {name.partition(".")[0] for name in imported}
    found = {part for framework, part in _PARTS.items() if framework in roots}
    if "tensorflow" in roots:
        uses_keras = any(
            isinstance(node, ast.Attribute) and dotted_name(node) == "tf.keras" for node in nodes
        ) or any(name.startswith("tensorflow.keras") for name in imported)
        found.add("horovod.tensorflow.keras" if uses_keras else "horovod.tensorflow")
    return found.pop() if len(found) == 1 else None
