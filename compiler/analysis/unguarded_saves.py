"""Which checkpoints every rank of a Python script would write, by a walk through what it runs.

A save is safe under any condition that speaks of the rank, in whatever way. What is found has no
such condition on some way from the script's beginning to the save; where that can't be told (code
that nothing in the script calls, a path that the rank is part of), nothing is found.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from bai.compiler.analysis.checkpoint_calls import MODEL_MAKERS, WRITERS, CheckpointCalls
from bai.compiler.analysis.horovod_names import HorovodNames
from bai.compiler.analysis.python_script import Save
from bai.compiler.analysis.rank_conditions import RankConditions
from bai.compiler.analysis.syntax_tree import assigned_names, dotted_name, flows, last_name


def unguarded_saves(tree: ast.Module, horovod: HorovodNames) -> list[Save]:
    """Return the saves that every rank makes, in order of place.

    Raises:
        RecursionError: the tree is too deep.
    """
    nodes = list(ast.walk(tree))
    values = flows(nodes)
    ranks = RankConditions(nodes, values, horovod, keepers=MODEL_MAKERS)
    return sorted(_Walk(tree, ranks, CheckpointCalls(nodes, values)).found())


class _Event(NamedTuple):
    """Something that code does: a save, or the mention of a name."""

    scope: str
    name: str
    save: Save | None


class _Walk:
    """A walk through a script that knows what stands under a condition on the rank."""

    def __init__(self, tree: ast.Module, ranks: RankConditions, calls: CheckpointCalls) -> None:
        self.ranks = ranks
        self.calls = calls
        self.functions: dict[str, list[str]] = {}
        """Name of a function or class -> the scopes that run with it."""
        self.methods: dict[str, tuple[str, str]] = {}
        """Scope of a method -> its name and its class."""
        self.events: list[_Event] = []
        self.kept: tuple[str, ...] = ()
        """The names that the value which is being walked is assigned to."""
        self._block(tree.body, "", guarded=False)

    def found(self) -> set[Save]:
        """Return the saves that are reached without a condition."""
        reached = {""}
        while True:
            mentioned = {
                event.name for event in self.events if event.scope in reached and not event.save
            }
            more = set(self._called(mentioned)) - reached
            if not more:
                break
            reached |= more
        return {
            event.save
            for event in self.events
            if event.save and event.scope in reached and event.name in {"", *mentioned}
        }

    def _called(self, mentioned: set[str]) -> Iterator[str]:
        """Yield the scopes that mentioning these names may run."""
        everywhere = {event.name for event in self.events}
        for name in mentioned & self.functions.keys():
            yield from self.functions[name]
        for scope, (name, owner) in self.methods.items():
            # A method that the script never mentions is called by a framework (on_epoch_end).
            if owner in mentioned and (name in mentioned or name not in everywhere):
                yield scope

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
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            guarded = guarded or self.ranks.speaks(node.test)
        elif isinstance(node, ast.Match):
            guarded = guarded or self.ranks.speaks(node.subject)
        elif isinstance(node, (ast.BoolOp, ast.BinOp)):
            guarded = guarded or self.ranks.speaks(node)
        elif isinstance(node, ast.Call) and not guarded:
            self._call(node, scope)
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            # A guarded mention stands in a scope that is never reached.
            self.events.append(_Event("guarded" if guarded else scope, last_name(node), None))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            self.kept = tuple(assigned_names(targets))
            self._children(node, scope, guarded=guarded)
            self.kept = ()
            return
        self._children(node, scope, guarded=guarded)

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

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: str, *, guarded: bool
    ) -> None:
        guarded = guarded or any(self.ranks.speaks(one) for one in node.decorator_list)
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
                ranked = any(self.ranks.speaks(one) for one in statement.decorator_list)
                self._block(statement.body, inner, guarded=guarded or ranked)
            else:
                self._visit(statement, f"{scope}.{node.name}", guarded=guarded)

    def _call(self, node: ast.Call, scope: str) -> None:
        """Note a save. One that something does while it is used counts where its name is used."""
        places = self.calls.destination(node, self.ranks.ranked)
        if places is None or self.ranks.speaks(*places):
            return
        call = dotted_name(node.func).replace("?.", "")
        save = Save(node.lineno, node.col_offset + 1, call)
        names = self.kept if last_name(node.func) in WRITERS else ()
        self.events += [_Event(scope, name, save) for name in names or ("",)]
