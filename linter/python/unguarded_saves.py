"""Which files every rank of a Python script would write, by a walk through what it runs.

A save is safe under any condition that speaks of the rank, in whatever way. What is found has no
such condition on some way from the script's beginning to the save; where that can't be told (code
that nothing in the script calls, a path that the rank is part of), nothing is found.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from bai.linter.python.checkpoint_calls import MODEL_MAKERS, WRITERS, CheckpointCalls
from bai.linter.python.file_writes import FileWrites
from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.rank_conditions import RankConditions
from bai.linter.python.rank_names import local_names
from bai.linter.python.rank_tests import RankTests, Side
from bai.linter.python.results import Save
from bai.linter.python.syntax_tree import assigned_names, dotted_name, last_name
from bai.linter.python.value_flows import flows
from bai.linter.python.write_targets import WriteTargets

_REPORTS = frozenset({"print", "debug", "info", "warning", "join", "format", "rank", "size"})
"""Calls that branches may have in common although they do different things."""
_STARTED_LATER = frozenset({"Process", "Thread", "Timer"})
"""What runs a function once its `start` is called."""


class Unguarded(NamedTuple):
    """What more ranks write than should, in order of place. See `ScriptFacts`."""

    saves: tuple[Save, ...]
    node_saves: tuple[Save, ...]
    writes: tuple[Save, ...]
    other_saves: tuple[Save, ...]
    ranks: RankConditions
    """What was learned on the way of conditions on the rank."""


def find_unguarded(
    tree: ast.Module, nodes: Sequence[ast.AST], horovod: HorovodNames, tests: RankTests
) -> Unguarded:
    """Return what every rank of a script writes, what one of each node, and what all but one do.

    `nodes` are all nodes of the tree, parents before their children, and `tests` its conditions.

    Raises:
        RecursionError: the tree is too deep.
    """
    values = flows(nodes)
    calls, writes = CheckpointCalls(nodes, values), FileWrites(nodes)
    ranks = RankConditions(nodes, values, horovod, keepers=MODEL_MAKERS)
    targets = WriteTargets(nodes, values, ranks)
    found = _Walk(tree, ranks, calls, writes, targets).found()
    by_node: set[_Written] = set()
    if any(map(horovod.asks_local_rank, nodes)):
        local = local_names(values, horovod)
        nearly = RankConditions(nodes, values, horovod, keepers=MODEL_MAKERS, local=local)
        by_node = _Walk(tree, nearly, calls, writes, targets).found() - found
    by_others: set[_Written] = set()
    if any(isinstance(node, ast.If) and Side.OTHERS in tests.sides(node.test) for node in nodes):
        by_others = _Walk(tree, ranks, calls, writes, targets, tests).found() - found
    return Unguarded(
        tuple(sorted(each.save for each in found if each.is_checkpoint)),
        tuple(sorted(each.save for each in by_node if each.is_checkpoint)),
        tuple(sorted(each.save for each in found if not each.is_checkpoint)),
        tuple(sorted(each.save for each in by_others if each.is_checkpoint)),
        ranks,
    )


class _Written(NamedTuple):
    """A call that writes."""

    save: Save
    is_checkpoint: bool
    handle: str
    """The name of an open file, which `saved_into` may know."""


class _Event(NamedTuple):
    """Something that code does: a save, or the mention of a name."""

    scope: str
    name: str
    written: _Written | None


class _Walk:
    """A walk through a script that knows what stands under a condition on the rank."""

    def __init__(
        self,
        tree: ast.Module,
        ranks: RankConditions,
        calls: CheckpointCalls,
        writes: FileWrites,
        targets: WriteTargets,
        tests: RankTests | None = None,
    ) -> None:
        """Walk through a script.

        With `tests`, a condition that holds on all ranks but the first is taken for none.
        """
        self.ranks = ranks
        self.calls = calls
        self.writes = writes
        self.targets = targets
        self.tests = tests
        self.saved_into: set[str] = set()
        """Names of open files that checkpoints are written into."""
        self.functions: dict[str, list[str]] = {}
        """Name of a function or class -> the scopes that run with it."""
        self.methods: dict[str, tuple[str, str]] = {}
        """Scope of a method -> its name and its class."""
        self.events: list[_Event] = []
        self.kept: tuple[str, ...] = ()
        """The names that get the value which is being walked."""
        self._block(tree.body, "", guarded=False)

    def found(self) -> set[_Written]:
        """Return what is written without a condition."""
        reached, mentioned = self._reached()
        under_others = {event.name for event in self.events if event.scope == "guarded"}
        return {
            event.written
            for event in self.events
            if event.written
            and event.scope in reached
            and (not event.name or event.name in mentioned)
            and event.written.handle not in self.saved_into
            and not (self.tests and _function_of(event.scope) in under_others)
        }

    def _reached(self) -> tuple[set[str], set[str]]:
        """Return the scopes that run without a condition, and the names that they mention."""
        said: dict[str, set[str]] = {}
        for event in self.events:
            if not event.written:
                said.setdefault(event.scope, set()).add(event.name)
        everywhere = {event.name for event in self.events}
        methods: dict[str, list[tuple[str, str, str]]] = {}
        for scope, (name, owner) in self.methods.items():
            for key in {name, owner}:
                methods.setdefault(key, []).append((scope, name, owner))
        reached, mentioned = {""}, set[str]()
        todo = [""]
        while todo:
            new = said.get(todo.pop(), set()) - mentioned
            mentioned |= new
            scopes = [scope for name in new for scope in self.functions.get(name, ())]
            for key in new:
                for scope, name, owner in methods.get(key, ()):
                    # A method that the script never mentions is called by a framework
                    # (on_epoch_end).
                    if owner in mentioned and (name in mentioned or name not in everywhere):
                        scopes.append(scope)
            todo += set(scopes) - reached
            reached.update(scopes)
        return reached, mentioned

    def _block(self, body: list[ast.stmt], scope: str, *, guarded: bool) -> None:
        for statement in body:
            self._visit(statement, scope, guarded=guarded)
            guarded = guarded or self.ranks.ends_others(statement)

    def _visit(self, node: ast.AST, scope: str, *, guarded: bool) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._function(node, scope, guarded=guarded)
            return
        if isinstance(node, ast.ClassDef):
            self._class(node, scope, guarded=guarded)
            return
        if isinstance(node, ast.If) and self.tests and not guarded:
            self._condition(node, scope, self.tests)
            return
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            guarded = guarded or self.ranks.speaks(node.test)
        elif isinstance(node, ast.Match):
            guarded = guarded or self.ranks.speaks(node.subject)
        elif isinstance(node, (ast.BoolOp, ast.BinOp)):
            guarded = guarded or self.ranks.speaks(node)
        elif isinstance(node, ast.Call):
            if not guarded:
                self._call(node, scope)
            if not node.args and dotted_name(node.func).endswith("app.run"):
                # TensorFlow's runner calls `main` without being told.
                self.events.append(_Event("guarded" if guarded else scope, "main", None))
            self._visit(node.func, scope, guarded=guarded)
            if self.kept and last_name(node.func) in _STARTED_LATER:
                scope = self._started(node, scope)
            guarded = guarded or self.ranks.chooses(node.func)  # `on_rank_0(lambda: ...)`
            for given in (*node.args, *node.keywords):
                self._visit(given, scope, guarded=guarded)
            return
        elif isinstance(node, ast.Subscript):
            guarded = guarded or self.ranks.speaks(node.slice)
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            # A guarded mention stands in a scope that is never reached.
            place = "guarded" if guarded else scope
            self.events.append(_Event(place, last_name(node), None))
            if isinstance(node, ast.Attribute) and node.attr == "start":
                self.events.append(_Event(place, f"{last_name(node.value)}.start", None))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            self.kept = tuple(assigned_names(targets))
            self._children(node, scope, guarded=guarded)
            self.kept = ()
            return
        self._children(node, scope, guarded=guarded)

    def _started(self, node: ast.Call, scope: str) -> str:
        """Return the scope of what a process or thread runs: it runs where that is started."""
        inner = f"{scope}.start:{node.lineno}"
        for name in self.kept:
            self.functions.setdefault(f"{name}.start", []).append(inner)
        return inner

    def _children(self, node: ast.AST, scope: str, *, guarded: bool) -> None:
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self._block(value, scope, guarded=guarded)
            elif isinstance(value, list):
                for one in value:
                    if isinstance(one, ast.AST):
                        self._visit(one, scope, guarded=guarded)
            elif isinstance(value, ast.AST):
                self._visit(value, scope, guarded=guarded)

    def _condition(self, node: ast.If, scope: str, tests: RankTests) -> None:
        """Walk through both branches, as if all ranks ran what all but the first do."""
        self._visit(node.test, scope, guarded=False)
        parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
        is_plain = all(any(tests.sides(part)) or not self.ranks.speaks(part) for part in parts)
        alike = not _called(node.body).isdisjoint(_called(node.orelse))
        sides = tests.sides(node.test)
        for side, branch in zip(sides, (node.body, node.orelse), strict=True):
            open_to_others = side is Side.OTHERS and is_plain and not alike
            guarded = self.ranks.speaks(node.test) and not open_to_others
            self._block(branch, scope, guarded=guarded)

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: str, *, guarded: bool
    ) -> None:
        guarded = guarded or any(map(self.ranks.chooses, node.decorator_list))
        inner = f"{scope}.{node.name}:{node.lineno}"
        self.functions.setdefault(node.name, []).append(inner)
        for one in (*node.decorator_list, *node.args.defaults):
            self._visit(one, scope, guarded=guarded)
        self._block(node.body, inner, guarded=guarded)

    def _class(self, node: ast.ClassDef, scope: str, *, guarded: bool) -> None:
        for base in node.bases:
            self._visit(base, f"{scope}.{node.name}", guarded=guarded)
        self.functions.setdefault(node.name, []).append(f"{scope}.{node.name}")
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inner = f"{scope}.{node.name}.{statement.name}:{statement.lineno}"
                self.methods[inner] = (statement.name, node.name)
                ranked = any(map(self.ranks.chooses, statement.decorator_list))
                self._block(statement.body, inner, guarded=guarded or ranked)
            else:
                self._visit(statement, f"{scope}.{node.name}", guarded=guarded)

    def _call(self, node: ast.Call, scope: str) -> None:
        """Note a save. One that something does while it is used counts where its name is used."""
        places = self.calls.destination(node, self.ranks.ranked)
        is_checkpoint = places is not None
        if places is None:
            places = self.writes.destination(node)
        if places is None:
            return
        target = self.targets.of(*places)
        if target.private or not (is_checkpoint or target.fixed):
            return
        if is_checkpoint:
            self.saved_into.update(last_name(place) for place in places)
        call = dotted_name(node.func).replace("?.", "")
        options = tuple(sorted(target.options))
        save = Save(node.lineno, node.col_offset + 1, call, target.shared, options)
        names = self.kept if last_name(node.func) in WRITERS else ()
        if not self.ranks.ranked.isdisjoint(names):
            return
        written = _Written(save, is_checkpoint, self.writes.handles.get(id(node), ""))
        self.events += [_Event(scope, name, written) for name in names or ("",)]


def _called(branch: list[ast.stmt]) -> set[str]:
    """Return the last names of what statements call, but for printing."""
    nodes = (node for statement in branch for node in ast.walk(statement))
    return {last_name(node.func) for node in nodes if isinstance(node, ast.Call)} - _REPORTS


def _function_of(scope: str) -> str:
    """Return the name of the function that a scope is."""
    return scope.rpartition(".")[2].partition(":")[0]
