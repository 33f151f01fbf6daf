"""Which files every rank of a Python script would write.

A save under any condition on the rank is safe. What is found has no such condition on some way from
the beginning of the script to the save. Where that is unclear (code that nothing in the script
calls, a path that depends on the rank), nothing is found.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from bai.linter.python.guards import Guards
from bai.linter.python.horovod_script import HorovodScript
from bai.linter.python.rank_names import local_names
from bai.linter.python.rank_tests import RankTests, Side
from bai.linter.python.results import Save
from bai.linter.python.scopes import Scopes
from bai.linter.python.syntax_tree import called_names, last_name, statements
from bai.linter.python.write_calls import WRITERS, Write, WriteCalls
from bai.linter.python.write_targets import WriteTargets

_REPORTS = frozenset({"print", "debug", "info", "warning", "join", "format", "rank", "size"})
"""Calls that branches may have in common although they do different things."""


def unguarded_saves(script: HorovodScript) -> Mapping[str, Any]:
    """Return what all ranks write, what one rank of each node does, and what all but one do.

    The keys are fields of `ScriptFacts`.
    """
    search = _Search(script)
    found = search.unguarded(script.guards)
    by_node: set[Write] = set()
    if any(script.asked(call) == "local_rank" for call in script.of(ast.Call)):
        by_node = search.unguarded(Guards(script, local_names(script))) - found
    by_others: set[Write] = set()
    if any(Side.OTHERS in script.tests.sides(node.test) for node in script.of(ast.If)):
        by_others = search.unguarded(script.guards, script.tests) - found
    return {
        "saves": _sorted(found),
        "node_saves": _sorted(by_node),
        "writes": _sorted(found, checkpoints=False),
        "other_saves": _sorted(by_others),
    }


def _sorted(writes: Collection[Write], *, checkpoints: bool = True) -> tuple[Save, ...]:
    return tuple(sorted(each.save for each in writes if each.is_checkpoint is checkpoints))


class _Search:
    """A search for the writes of a script that are under no condition on the rank."""

    def __init__(self, script: HorovodScript) -> None:
        self._script = script
        self._scopes = Scopes(script)
        self._calls = WriteCalls(script, WriteTargets(script, script.guards))

    def unguarded(self, guards: Guards, tests: RankTests | None = None) -> set[Write]:
        """Return what is written without a condition.

        With `tests`, a condition that holds on all ranks but the first is taken for none.
        """
        guarded = self._script.within(self._guarded(guards, tests))
        reached, mentioned = self._scopes.reached(guarded)
        writes = list(self._writes(guards, guarded))
        saved_into = {
            name for _, _, write in writes if write.is_checkpoint for name in write.places
        }
        under_others = self._scopes.mentioned(guarded) if tests else set()
        return {
            write
            for scope, name, write in writes
            if scope in reached
            and (not name or name in mentioned)
            and write.handle not in saved_into
            and getattr(scope, "name", "") not in under_others
        }

    def _writes(
        self, guards: Guards, guarded: Collection[int]
    ) -> Iterator[tuple[ast.AST, str, Write]]:
        """Yield the writes that are not guarded, with their scopes.

        The name is that of an object whose use triggers the write, if one does.
        """
        for node in self._script.of(ast.Call):
            scope = self._scopes.around.get(id(node))
            if not scope or id(node) in guarded:
                continue
            if write := self._calls.of(node, guards.ranked):
                # What an object writes while it is used counts where its name is used.
                names = self._script.kept(node) if last_name(node.func) in WRITERS else set()
                if guards.ranked.isdisjoint(names):
                    yield from ((scope, name, write) for name in names or {""})

    def _guarded(self, guards: Guards, tests: RankTests | None) -> Iterator[ast.AST]:
        """Yield the code that only some ranks may run."""
        script = self._script
        for node in script.nodes:
            match node:
                case ast.If() | ast.IfExp():
                    yield from _guarded_branches(node, guards, tests)
                case ast.While(test=part) | ast.Match(subject=part) | ast.Subscript(slice=part):
                    if guards.mentions_rank(part):
                        yield from script.children(node)
                case ast.BoolOp() | ast.BinOp():
                    if guards.mentions_rank(node):
                        yield from script.children(node)
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    if any(map(guards.guards_argument, node.decorator_list)):
                        yield node
                case ast.Call() if guards.guards_argument(node.func):
                    # `on_rank_0(lambda: ...)`
                    yield from (*node.args, *node.keywords)
        yield from guards.left_behind


def _guarded_branches(
    node: ast.If | ast.IfExp, guards: Guards, tests: RankTests | None
) -> Iterator[ast.AST]:
    """Yield what only some ranks may run of a condition.

    With tests, that is as if all ranks were another than the first.
    """
    sides: tuple[Side | None, Side | None] = (None, None)
    on_rank = guards.mentions_rank(node.test)
    if tests and isinstance(node, ast.If):
        on_rank = False
        if _is_plain(node, guards, tests):
            sides = tests.sides(node.test)
    if on_rank:
        yield node.test
    for branch, holds, side in ((node.body, True, sides[0]), (node.orelse, False, sides[1])):
        if side is not Side.OTHERS and guards.narrows(node.test, holds=holds):
            yield from statements(branch)


def _is_plain(node: ast.If, guards: Guards, tests: RankTests) -> bool:
    """Return whether the meaning of a condition is clear, and its branches do not the same."""
    parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
    return (
        all(any(tests.sides(part)) or not guards.mentions_rank(part) for part in parts)
        and called_names(node.body) & called_names(node.orelse) <= _REPORTS
    )
