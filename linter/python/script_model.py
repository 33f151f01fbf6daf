"""A parsed Python script with an index of its nodes, imports and bindings."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, overload

from bai.linter.python.syntax_tree import DEFINITIONS, assigned_names, binding_key, last_name

A = TypeVar("A", bound=ast.AST)
B = TypeVar("B", bound=ast.AST)
C = TypeVar("C", bound=ast.AST)
_LEAVES = frozenset(
    each
    for base in (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
    for each in base.__subclasses__()
)
"""Parts of the tree that are shared between nodes and left out of the index."""


class Import(NamedTuple):
    """A name that an import statement imports."""

    alias: ast.alias
    line: int
    """The first line of the statement."""
    level: int
    """Dots before the module."""
    module: str
    """As it is written, without the dots; empty for `from . import x`."""
    name: str | None
    """What is imported from the module; None for `import`."""

    @property
    def bound(self) -> str:
        """The name in the script, with dots for `import a.b`."""
        return self.alias.asname or self.alias.name

    @property
    def path(self) -> list[str]:
        """The parts of the full name; empty if it is relative to the script."""
        if self.level:
            return []
        return [*self.module.split("."), *([self.name] if self.name else [])]


class ScriptModel:
    """What the checks of a script share.

    Scopes are not told apart: what is true of all bindings of a name is true of it in every scope.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.nodes: list[ast.AST] = [tree]
        """All nodes, parents before their children."""
        self._parents: dict[int, ast.AST] = {}
        self._children: dict[int, list[ast.AST]] = {}
        self._by_type: dict[type[ast.AST], list[Any]] = {}
        for node in self.nodes:  # grows
            children = [each for each in ast.iter_child_nodes(node) if type(each) not in _LEAVES]
            self._parents.update(dict.fromkeys(map(id, children), node))
            self._children[id(node)] = children
            self._by_type.setdefault(type(node), []).append(node)
            self.nodes += children

    @overload
    def of(self, a: type[A], /) -> list[A]: ...
    @overload
    def of(self, a: type[A], b: type[B], /) -> list[A | B]: ...
    @overload
    def of(self, a: type[A], b: type[B], c: type[C], /) -> list[A | B | C]: ...
    def of(self, *types: type[ast.AST]) -> list[Any]:
        """Return the nodes of these types, type by type."""
        return [node for each in types for node in self._by_type.get(each, ())]

    def children(self, node: ast.AST) -> Sequence[ast.AST]:
        """Return the nodes directly within a node."""
        return self._children[id(node)]

    def following(self, statement: ast.AST) -> Sequence[ast.AST]:
        """Return the statements after a statement in the same block."""
        parent = self._parents[id(statement)]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(parent, name, None)
            if isinstance(block, list) and statement in block:
                return block[block.index(statement) + 1 :]
        return ()

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nodes that contain a node, innermost first."""
        while found := self._parents.get(id(node)):
            yield found
            node = found

    def containing(self, nodes: Iterable[ast.AST]) -> set[int]:
        """Return the ids of some nodes and of all nodes that contain them."""
        return self._upwards(nodes, {})

    def leading_to(self, nodes: Iterable[ast.AST]) -> set[int]:
        """Return the ids of what contains some nodes, or mentions a definition that does."""
        mentions: dict[str, list[ast.AST]] = {}
        for mention in self.of(ast.Name, ast.Attribute):
            mentions.setdefault(last_name(mention), []).append(mention)
        return self._upwards(nodes, mentions)

    def _upwards(self, nodes: Iterable[ast.AST], mentions: dict[str, list[ast.AST]]) -> set[int]:
        found: set[int] = set()
        todo = list(nodes)
        while todo:
            node: ast.AST | None = todo.pop()
            while node is not None and id(node) not in found:
                found.add(id(node))
                if isinstance(node, DEFINITIONS):
                    todo += mentions.pop(node.name, ())
                node = self._parents.get(id(node))
        return found

    def within(self, nodes: Iterable[ast.AST]) -> set[int]:
        """Return the ids of some nodes and of all nodes within them."""
        found: set[int] = set()
        todo = list(nodes)
        while todo:
            node = todo.pop()
            if id(node) not in found:
                found.add(id(node))
                todo += self._children[id(node)]
        return found

    def kept(self, node: ast.AST) -> set[str]:
        """Return the names that are assigned a value which contains a node."""
        statement = next(each for each in self.above(node) if isinstance(each, ast.stmt))
        is_assignment = isinstance(statement, (ast.Assign, ast.AnnAssign))
        return assigned_names(statement) if is_assignment else set()

    def scope(self, node: ast.AST) -> ast.AST | None:
        """Return the innermost function or class that contains a node."""
        return next((each for each in self.above(node) if isinstance(each, DEFINITIONS)), None)

    @cached_property
    def imports(self) -> list[Import]:
        """All names that are imported anywhere."""
        return [each for node in self.of(ast.Import, ast.ImportFrom) for each in imports_of(node)]

    @cached_property
    def definitions(self) -> Mapping[str, Sequence[ast.stmt]]:
        """A name -> the functions and classes that have it."""
        found: dict[str, list[ast.stmt]] = {}
        for node in self.of(*DEFINITIONS):
            found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def bindings(self) -> Mapping[str, Sequence[ast.AST]]:
        """A name -> its values, or what else binds it: a definition, a loop, an import.

        The key of an attribute is its last part with a dot before it: `.rank` for `self.rank`.
        """
        found: dict[str, list[ast.AST]] = {}
        values: dict[int, ast.AST] = {}
        for assignment in self.of(ast.Assign):
            for target in assignment.targets:
                values.update(_matched(target, assignment.value))
        for each in self.of(ast.AnnAssign, ast.NamedExpr):
            if each.value is not None:
                values[id(each.target)] = each.value
        for node in self.nodes:
            for name in _bound_names(node):
                found.setdefault(name, []).append(values.get(id(node), node))
        for definition in self.of(ast.ClassDef):
            for statement in definition.body:
                is_assignment = isinstance(statement, (ast.Assign, ast.AnnAssign))
                for inner in ast.walk(statement) if is_assignment else (statement,):
                    for name in _bound_names(inner):
                        found.setdefault(f".{name}", []).append(inner)
        return found

    def values(self, node: ast.AST) -> Sequence[ast.AST]:
        """Return everything that a name or an attribute is bound to; nothing if unknown."""
        return self.bindings.get(binding_key(node), ())


def imports_of(node: ast.stmt) -> Iterator[Import]:
    """Yield the names that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (Import(alias, node.lineno, 0, alias.name, None) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield Import(alias, node.lineno, node.level, node.module or "", alias.name)


def _matched(target: ast.expr, value: ast.expr) -> Iterator[tuple[int, ast.AST]]:
    """Yield the id of each target of an assignment with its value, where it is clear."""
    pair = (ast.Tuple, ast.List)
    if not isinstance(target, pair):
        yield id(target), value
    elif (
        isinstance(value, pair)
        and len(value.elts) == len(target.elts)
        and not any(isinstance(each, ast.Starred) for each in (*target.elts, *value.elts))
    ):
        for inner, part in zip(target.elts, value.elts, strict=True):
            yield from _matched(inner, part)


def _bound_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself binds, apart from its parts."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        if not isinstance(node.ctx, ast.Load):
            yield binding_key(node)
    elif isinstance(node, DEFINITIONS):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        if node.name:
            yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
