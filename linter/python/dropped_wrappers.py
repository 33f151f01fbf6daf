"""Where a Python script wraps an optimizer or a tape for Horovod, and does not use the result.

The calls return something new and leave what they are given as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from bai.linter.python.bindings import Bindings
from bai.linter.python.certain_names import CertainNames
from bai.linter.python.results import Question
from bai.linter.python.separate_training import training_steps
from bai.linter.python.syntax_tree import dotted_name

_WRAPPERS = frozenset({"DistributedOptimizer", "DistributedGradientTape"})
_EXPECTING = (ast.With, ast.AsyncWith, ast.Try, ast.TryStar)
"""Tests call in these what is to fail."""
_LOOKS_UP = frozenset({"globals", "locals", "vars", "eval", "exec"})
"""Names by which a script may read a name that it does not write."""


def dropped_wrapper(
    nodes: Sequence[ast.AST], bound: Bindings, horovod: CertainNames
) -> Question | None:
    """Return the first call of a wrapper whose result nothing uses, if any.

    A name that nothing reads counts only in a script that trains: the rest may be elsewhere.
    `nodes` are all nodes of the script, parents before their children.
    """
    expecting: set[int] = set()
    dropped: list[ast.Call] = []
    kept: list[tuple[Sequence[ast.expr], ast.Call]] = []
    for node in nodes:
        if isinstance(node, _EXPECTING) or id(node) in expecting:
            expecting.update(map(id, ast.iter_child_nodes(node)))
        elif isinstance(node, (ast.Expr, ast.Assign)) and isinstance(node.value, ast.Call):
            if horovod.called(node.value) not in _WRAPPERS:
                continue
            if isinstance(node, ast.Assign):
                kept.append((node.targets, node.value))
            else:
                dropped.append(node.value)
    if kept and training_steps(nodes, bound):
        read = _read(nodes)
        dropped += [call for targets, call in kept if _are_unread(targets, read)]
    if not dropped:
        return None
    first = min(dropped, key=lambda call: call.lineno)
    return Question(first.lineno, dotted_name(first.func))


def _read(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the names that a script reads in any scope, or that others may read."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Global):
            found.update(node.names)
    return found


def _are_unread(targets: Sequence[ast.expr], read: Collection[str]) -> bool:
    return _LOOKS_UP.isdisjoint(read) and all(
        isinstance(target, ast.Name) and target.id not in read for target in targets
    )
