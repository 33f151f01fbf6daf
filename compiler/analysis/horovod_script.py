"""What a script for Horovod tells: whether it initialises it, and what all ranks save."""

from __future__ import annotations

import ast

from bai.compiler.analysis.horovod_names import HorovodNames
from bai.compiler.analysis.python_script import ScriptFacts
from bai.compiler.analysis.unguarded_saves import find_unguarded


def facts(tree: ast.Module) -> ScriptFacts:
    """Return what a parsed script tells.

    Raises:
        RecursionError: the tree is too deep.
    """
    horovod = HorovodNames(tree)
    if horovod.line is None:
        return ScriptFacts(None, initialises=False, saves=())
    found = find_unguarded(tree, horovod)
    return ScriptFacts(
        horovod.line,
        initialises=horovod.initialises(tree),
        saves=found.saves,
        node_saves=found.node_saves,
        writes=found.writes,
    )
