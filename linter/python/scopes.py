"""Which code of a Python script runs with which of its functions and classes."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import FUNCTIONS, dotted_name, last_name

_STARTED_LATER = frozenset({"Process", "Thread", "Timer"})
"""Objects that run a function once their `start` is called."""


class Scopes:
    """The scopes of a script, and the names that they mention.

    A scope is the node of the module, of a function or a class, or of a call that makes a process
    or a thread.
    """

    def __init__(self, script: ScriptModel) -> None:
        self._script = script
        self.around: dict[int, ast.AST] = {}
        """Id of a node -> its scope, for the nodes that may run."""
        self._named: dict[str, list[ast.AST]] = {}
        """Name of a function or class -> the scopes that run with it."""
        self._methods: dict[str, list[tuple[ast.AST, str, str]]] = {}
        """Name of a method, or of its class -> its scope and both names."""
        self._mentions: list[tuple[ast.AST, str]] = []
        """Nodes, and the names that they mention."""
        todo: list[tuple[ast.AST, ast.AST]] = [(each, script.tree) for each in script.tree.body]
        while todo:
            node, scope = todo.pop()
            self.around[id(node)] = scope
            self._mentions += ((node, name) for name in _mentioned(node))
            todo += self._parts(node, scope)

    def mentioned(self, nodes: Collection[int]) -> set[str]:
        """Return the names that nodes with these ids mention."""
        return {name for node, name in self._mentions if id(node) in nodes}

    def reached(self, guarded: Collection[int]) -> tuple[set[ast.AST], set[str]]:
        """Return the scopes that run without the guarded nodes, and the names that they mention."""
        everywhere = {name for _, name in self._mentions}
        mentions: dict[ast.AST, set[str]] = {}
        for node, name in self._mentions:
            if id(node) not in guarded:
                mentions.setdefault(self.around[id(node)], set()).add(name)
        reached, mentioned = set[ast.AST]([self._script.tree]), set[str]()
        todo = [*reached]
        while todo:
            new = mentions.get(todo.pop(), set()) - mentioned
            mentioned |= new
            scopes = {scope for name in new for scope in self._named.get(name, ())}
            for key in new:
                for scope, name, owner in self._methods.get(key, ()):
                    # A framework calls the methods that the script never mentions (on_epoch_end).
                    if owner in mentioned and (name in mentioned or name not in everywhere):
                        scopes.add(scope)
            scopes -= reached
            todo += scopes
            reached |= scopes
        return reached, mentioned

    def _parts(self, node: ast.AST, scope: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """Yield the parts of a node with their scopes."""
        inner: list[ast.AST] = []  # what runs with the node as its scope
        outer: list[ast.AST] = []
        if isinstance(node, FUNCTIONS):
            inner += node.body
            if isinstance(scope, ast.ClassDef) and next(self._script.above(node)) is scope:
                for key in {node.name, scope.name}:
                    self._methods.setdefault(key, []).append((node, node.name, scope.name))
            else:
                self._named.setdefault(node.name, []).append(node)
                outer += [*node.decorator_list, *node.args.defaults]
        elif isinstance(node, ast.ClassDef):
            self._named.setdefault(node.name, []).append(node)
            inner += [*node.bases, *node.body]
        elif isinstance(node, ast.Call) and last_name(node.func) in _STARTED_LATER:
            kept = self._script.kept(node)
            for name in kept:
                self._named.setdefault(f"{name}.start", []).append(node)
            outer.append(node.func)
            (inner if kept else outer).extend([*node.args, *node.keywords])
        else:
            outer += self._script.children(node)
        yield from ((part, node) for part in inner)
        yield from ((part, scope) for part in outer)


def _mentioned(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself mentions, apart from its parts."""
    match node:
        case ast.Attribute(attr="start", ctx=ast.Load(), value=owner):
            yield from ("start", f"{last_name(owner)}.start")
        case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
            yield last_name(node)
        case ast.Call(args=[], func=function) if dotted_name(function).endswith("app.run"):
            yield "main"  # TensorFlow's runner calls it by itself
