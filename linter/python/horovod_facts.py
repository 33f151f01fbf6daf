"""The checks of a script that may use Horovod."""

from __future__ import annotations

from bai.linter.python.absent_names import bare_uses, misspelt_names
from bai.linter.python.constant_comparisons import constant_comparisons
from bai.linter.python.horovod_queries import early_queries, uncalled_inits, uncalled_queries
from bai.linter.python.horovod_script import HorovodScript
from bai.linter.python.keras_wrappers import keras_wrappers
from bai.linter.python.partial_collectives import partial_collectives
from bai.linter.python.results import ScriptFacts
from bai.linter.python.training import dropped_wrappers, separate_training
from bai.linter.python.unguarded_saves import unguarded_saves


def horovod_facts(script: HorovodScript) -> ScriptFacts:
    """Return what the checks for Horovod find in a script.

    Raises:
        RecursionError: the tree is too deep.
    """
    misspelt = sorted(set(misspelt_names(script)), key=lambda each: (each.line, each.name))
    bare = next(bare_uses(script), None)
    found = ScriptFacts(script.horovod_line, bare=bare, misspelt=tuple(misspelt))
    if script.horovod_line is None:
        return found
    uncalled = {node: node.lineno for node in uncalled_inits(script)}
    initialises = any(node not in uncalled for node in script.initialising)
    return found._replace(
        initialises=initialises,
        uncalled_init=None if initialises else min(uncalled.values(), default=None),
        early=next(early_queries(script), None),
        partial_collectives=tuple(sorted(set(partial_collectives(script)))),
        separate=min(separate_training(script), default=None) if initialises else None,
        constant=tuple(sorted(set(constant_comparisons(script)))),
        keras_wrapper=min(keras_wrappers(script), default=None),
        dropped=min(dropped_wrappers(script), default=None),
        uncalled=tuple(sorted(set(uncalled_queries(script)))),
        **unguarded_saves(script),
    )
