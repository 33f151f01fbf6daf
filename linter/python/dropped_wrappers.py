"""Where a Python script wraps an optimizer or a tape for Horovod, and does not use the result.

The calls return a new object and do not change their argument.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bai.linter.python.horovod_script import HorovodScript
from bai.linter.python.results import HorovodCall
from bai.linter.python.syntax_tree import TRIES, dotted_name
from bai.linter.python.training_steps import training_steps

_WRAPPERS = frozenset({"DistributedOptimizer", "DistributedGradientTape"})
_READS_ANY = frozenset({"globals", "locals", "vars", "eval", "exec"})
"""Names by which a script may read a name that it does not write."""


def dropped_wrappers(script: HorovodScript) -> Iterator[HorovodCall]:
    """Yield the calls of a wrapper whose result nothing uses.

    A name that nothing reads counts only in a script that trains: the rest may be elsewhere.
    """
    # Tests contain calls that are meant to fail.
    expected = script.below([*script.of(ast.With, ast.AsyncWith), *script.of(*TRIES)])
    kept: list[tuple[ast.Assign, ast.Call]] = []
    for node in script.of(ast.Expr, ast.Assign):
        call = node.value
        if not isinstance(call, ast.Call) or script.horovod.called(call) not in _WRAPPERS:
            continue
        if id(node) in expected:
            continue
        if isinstance(node, ast.Assign):
            kept.append((node, call))
        else:
            yield HorovodCall(node.lineno, dotted_name(call.func))
    if not kept or not training_steps(script):
        return
    read = {each.id for each in script.of(ast.Name) if isinstance(each.ctx, ast.Load)}
    read.update(name for each in script.of(ast.Global) for name in each.names)
    for assignment, call in kept:
        if _READS_ANY.isdisjoint(read) and all(
            isinstance(target, ast.Name) and target.id not in read for target in assignment.targets
        ):
            yield HorovodCall(call.lineno, dotted_name(call.func))
