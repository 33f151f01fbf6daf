"""What a script for Horovod tells: whether it initialises it, and what all ranks save."""

from __future__ import annotations

import ast

from bai.linter.python.bare_package import bare_use
from bai.linter.python.bindings import bindings
from bai.linter.python.certain_names import CertainNames
from bai.linter.python.constant_comparisons import constant_comparisons
from bai.linter.python.dropped_wrappers import dropped_wrapper
from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.horovod_order import early_question
from bai.linter.python.lonely_collectives import lonely_collectives
from bai.linter.python.misspelt_names import misspelt_names
from bai.linter.python.rank_tests import RankTests
from bai.linter.python.results import ScriptFacts
from bai.linter.python.separate_training import separate_training
from bai.linter.python.uncalled_questions import uncalled_questions
from bai.linter.python.unguarded_saves import find_unguarded


def facts(tree: ast.Module) -> ScriptFacts:
    """Return what a parsed script tells.

    Raises:
        RecursionError: the tree is too deep.
    """
    horovod = HorovodNames(tree)
    nodes = list(ast.walk(tree))
    bound = bindings(nodes)
    bare = bare_use(nodes, bound)
    misspelt = misspelt_names(nodes, bound)
    if horovod.line is None:
        return ScriptFacts(None, initialises=False, saves=(), bare=bare, misspelt=misspelt)
    certain = CertainNames(nodes, bound)
    tests = RankTests(bound, certain)
    found = find_unguarded(tree, nodes, horovod, tests)
    uncalled = {
        id(node.value): node.lineno
        for node in nodes
        if isinstance(node, ast.Expr) and horovod.function(node.value) == "init"
    }
    initialises = any(id(node) not in uncalled and horovod.may_initialise(node) for node in nodes)
    return ScriptFacts(
        horovod.line,
        initialises=initialises,
        saves=found.saves,
        uncalled_init=None if initialises else min(uncalled.values(), default=None),
        bare=bare,
        misspelt=misspelt,
        early=early_question(tree, nodes, horovod, certain.frameworks),
        node_saves=found.node_saves,
        writes=found.writes,
        other_saves=found.other_saves,
        lonely=lonely_collectives(nodes, bound, certain, found.ranks, tests),
        separate=separate_training(nodes, bound, certain, found.ranks, tests)
        if initialises
        else None,
        constant=constant_comparisons(nodes, bound, certain),
        dropped=dropped_wrapper(nodes, bound, certain),
        uncalled=uncalled_questions(nodes, bound, certain),
    )
