"""Which files every rank of a Python script would write, found by walking through its code.

A save under any condition on the rank is safe. What is found has no such condition on some way from
the beginning of the script to the save. Where that is unclear (code that nothing in the script
calls, a path that depends on the rank), nothing is found.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bai.linter.python.guards import Guards
from bai.linter.python.horovod_script import HorovodScript
from bai.linter.python.rank_names import local_names
from bai.linter.python.rank_tests import RankTests, Side
from bai.linter.python.results import Save
from bai.linter.python.syntax_tree import (
    FUNCTIONS,
    assigned_names,
    calls_within,
    dotted_name,
    last_name,
    targets_of,
)
from bai.linter.python.write_calls import WRITERS, WriteCalls
from bai.linter.python.write_targets import WriteTargets

_REPORTS = frozenset({"print", "debug", "info", "warning", "join", "format", "rank", "size"})
"""Calls that branches may have in common although they do different things."""
_STARTED_LATER = frozenset({"Process", "Thread", "Timer"})
"""Objects that run a function once their `start` is called."""
_GUARDED = "guarded"
"""The scope of mentions under a condition, which is never reached."""


def unguarded_saves(script: HorovodScript) -> Mapping[str, Any]:
    """Return what all ranks write, what one rank of each node does, and what all but one do.

    The keys are fields of `ScriptFacts`.
    """
    writes = _Writes(script)
    found = _Walk(writes, script.guards).found()
    by_node: set[_Write] = set()
    if any(script.asked(call) == "local_rank" for call in script.of(ast.Call)):
        by_node = _Walk(writes, Guards(script, local_names(script))).found() - found
    by_others: set[_Write] = set()
    if any(Side.OTHERS in script.tests.sides(node.test) for node in script.of(ast.If)):
        by_others = _Walk(writes, script.guards, script.tests).found() - found
    return {
        "saves": tuple(sorted(each.save for each in found if each.is_checkpoint)),
        "node_saves": tuple(sorted(each.save for each in by_node if each.is_checkpoint)),
        "writes": tuple(sorted(each.save for each in found if not each.is_checkpoint)),
        "other_saves": tuple(sorted(each.save for each in by_others if each.is_checkpoint)),
    }


class _Write(NamedTuple):
    """A call that writes."""

    save: Save
    is_checkpoint: bool
    handle: str
    """The name of the open file, if it is one."""
    places: frozenset[str]
    """The names of what is written into."""


class _Writes:
    """The writes of a script, by calls."""

    def __init__(self, script: HorovodScript) -> None:
        self.script = script
        self._calls = WriteCalls(script)
        self._targets = WriteTargets(script, script.guards)

    def of(self, node: ast.Call, guards: Guards) -> _Write | None:
        """Return what a call writes to a place that processes share."""
        places = self._calls.checkpoint(node, guards.ranked)
        is_checkpoint = places is not None
        if places is None and (places := self._calls.file(node)) is None:
            return None
        target = self._targets.of(*places)
        if target.private or not (is_checkpoint or target.fixed):
            return None
        call = dotted_name(node.func).replace("?.", "")
        options = tuple(sorted(target.options))
        save = Save(node.lineno, node.col_offset + 1, call, target.shared, options)
        handle = self._calls.handles.get(id(node), "")
        return _Write(save, is_checkpoint, handle, frozenset(map(last_name, places)))


class _Walk:
    """A walk through a script that tracks what is under a condition on the rank.

    With `tests`, a condition that holds on all ranks but the first is taken for none.

    A scope is a text with the names of the definitions around some code. All guarded code is in the
    scope `_GUARDED`.
    """

    def __init__(self, writes: _Writes, guards: Guards, tests: RankTests | None = None) -> None:
        self._script = writes.script
        self._writes = writes
        self._guards = guards
        self._tests = tests
        self._scopes: dict[str, list[str]] = {}
        """Name of a function or class -> the scopes that run with it."""
        self._methods: dict[str, tuple[str, str]] = {}
        """Scope of a method -> its name and its class."""
        self._mentions: dict[str, set[str]] = {}
        """Scope -> the names that it mentions."""
        self._found: list[tuple[str, str, _Write]] = []
        """Scope of a write, the name whose use triggers it if any, and the write."""
        self._todo: list[tuple[ast.AST, str]] = [(node, "") for node in self._script.tree.body]
        """Nodes with their scopes."""
        while self._todo:
            self._visit(*self._todo.pop())

    def found(self) -> set[_Write]:
        """Return what is written without a condition."""
        reached, mentioned = self._reached()
        checkpoints = [write for _, _, write in self._found if write.is_checkpoint]
        saved_into = {name for write in checkpoints for name in write.places}
        under_others = self._mentions.get(_GUARDED, set()) if self._tests else set()
        return {
            write
            for scope, name, write in self._found
            if scope in reached
            and (not name or name in mentioned)
            and write.handle not in saved_into
            and scope.rpartition(".")[2].partition(":")[0] not in under_others  # its function
        }

    def _reached(self) -> tuple[set[str], set[str]]:
        """Return the scopes that run without a condition, and the names that they mention."""
        everywhere = set().union(*self._mentions.values())
        methods: dict[str, list[tuple[str, str, str]]] = {}
        for scope, (name, owner) in self._methods.items():
            for key in {name, owner}:
                methods.setdefault(key, []).append((scope, name, owner))
        reached, mentioned = {""}, set[str]()
        todo = [""]
        while todo:
            new = self._mentions.get(todo.pop(), set()) - mentioned
            mentioned |= new
            scopes = {scope for name in new for scope in self._scopes.get(name, ())}
            for key in new:
                for scope, name, owner in methods.get(key, ()):
                    # A framework calls the methods that the script never mentions (on_epoch_end).
                    if owner in mentioned and (name in mentioned or name not in everywhere):
                        scopes.add(scope)
            scopes -= {_GUARDED, *reached}
            todo += scopes
            reached |= scopes
        return reached, mentioned

    def _visit(self, node: ast.AST, scope: str) -> None:
        if self._guards.is_left_behind(node):
            scope = _GUARDED
        if isinstance(node, FUNCTIONS):
            self._scopes.setdefault(node.name, []).append(self._function(node, scope))
            guarded = self._is_guarded(node)
            self._all((*node.decorator_list, *node.args.defaults), scope, guarded=guarded)
        elif isinstance(node, ast.ClassDef):
            self._class(node, scope)
        elif isinstance(node, (ast.If, ast.IfExp)):
            self._condition(node, scope)
        elif isinstance(node, ast.Call):
            self._call(node, scope)
        else:
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                self._mention(scope, last_name(node))
                if isinstance(node, ast.Attribute) and node.attr == "start":
                    self._mention(scope, f"{last_name(node.value)}.start")
            self._all(self._script.children(node), scope, guarded=self._guards_parts(node))

    def _all(self, nodes: Iterable[ast.AST], scope: str, *, guarded: bool = False) -> None:
        self._todo += ((node, _GUARDED if guarded else scope) for node in nodes)

    def _mention(self, scope: str, name: str) -> None:
        self._mentions.setdefault(scope, set()).add(name)

    def _guards_parts(self, node: ast.AST) -> bool:
        """Return whether only some ranks may run what is within a node."""
        match node:
            case ast.While(test=part) | ast.Match(subject=part) | ast.Subscript(slice=part):
                return self._guards.mentions_rank(part)
            case ast.BoolOp() | ast.BinOp():
                return self._guards.mentions_rank(node)
        return False

    def _condition(self, node: ast.If | ast.IfExp, scope: str) -> None:
        """Walk through both branches; with tests, as if all ranks were another than the first."""
        sides: tuple[Side | None, Side | None] = (None, None)
        on_rank = self._guards.mentions_rank(node.test)
        if self._tests and isinstance(node, ast.If):
            on_rank = False
            if self._is_plain(node, self._tests):
                sides = self._tests.sides(node.test)
        self._all([node.test], scope, guarded=on_rank)
        for branch, holds, side in ((node.body, True, sides[0]), (node.orelse, False, sides[1])):
            narrows = side is not Side.OTHERS and self._guards.narrows(node.test, holds=holds)
            parts = branch if isinstance(branch, list) else [branch]
            self._all(parts, scope, guarded=narrows)

    def _is_plain(self, node: ast.If, tests: RankTests) -> bool:
        """Return whether the meaning of a condition is clear, and its branches do not the same."""
        parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
        return all(
            any(tests.sides(part)) or not self._guards.mentions_rank(part) for part in parts
        ) and _called(node.body).isdisjoint(_called(node.orelse))

    def _is_guarded(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        return any(map(self._guards.guards_argument, node.decorator_list))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: str) -> str:
        """Walk through the body of a function, and return its scope."""
        inner = f"{scope}.{node.name}:{node.lineno}"
        if scope == _GUARDED or self._is_guarded(node):
            inner = _GUARDED
        self._all(node.body, inner)
        return inner

    def _class(self, node: ast.ClassDef, scope: str) -> None:
        own = _GUARDED if scope == _GUARDED else f"{scope}.{node.name}"
        self._scopes.setdefault(node.name, []).append(own)
        self._all(node.bases, own)
        for statement in node.body:
            if isinstance(statement, FUNCTIONS):
                self._methods[self._function(statement, own)] = (statement.name, node.name)
            else:
                self._all([statement], own)

    def _call(self, node: ast.Call, scope: str) -> None:
        name = last_name(node.func)
        if scope != _GUARDED and (write := self._writes.of(node, self._guards)):
            # What an object writes while it is used counts where its name is used.
            names = self._kept(node) if name in WRITERS else set()
            if self._guards.ranked.isdisjoint(names):
                self._found += [(scope, each, write) for each in names or {""}]
        if not node.args and dotted_name(node.func).endswith("app.run"):
            self._mention(scope, "main")  # TensorFlow's runner calls it by itself
        self._all([node.func], scope)
        if name in _STARTED_LATER and scope != _GUARDED and (kept := self._kept(node)):
            # A process or thread runs its function where it is started.
            scope = f"{scope}.start:{node.lineno}"
            for each in kept:
                self._scopes.setdefault(f"{each}.start", []).append(scope)
        # `on_rank_0(lambda: ...)`
        guarded = self._guards.guards_argument(node.func)
        self._all((*node.args, *node.keywords), scope, guarded=guarded)

    def _kept(self, node: ast.Call) -> set[str]:
        """Return the names that are assigned a value which contains a call."""
        statement = next(each for each in self._script.above(node) if isinstance(each, ast.stmt))
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            return set(assigned_names(targets_of(statement)))
        return set()


def _called(branch: Sequence[ast.stmt]) -> set[str]:
    """Return the last names of what statements call, without printing."""
    return {last_name(call.func) for call in calls_within(branch)} - _REPORTS
