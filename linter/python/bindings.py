"""All that the names of a Python script are ever bound to.

Scopes are not told apart: what is true of all bindings of a name is true of it in every scope.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from bai.linter.python.syntax_tree import last_name

Bindings = Mapping[str, Sequence[ast.AST]]
"""A name -> the values that it gets, or what else binds it: a definition, a loop, an import.

An attribute is called like its last part with a dot before it: `.rank` for `self.rank`.
"""


def bindings(nodes: Sequence[ast.AST]) -> Bindings:
    """Return what is bound in a script, of which `nodes` are all nodes."""
    found: dict[str, list[ast.AST]] = {}
    values: dict[int, ast.AST] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                values.update(_matched(target, node.value))
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            values[id(node.target)] = node.value
    for node in nodes:
        for name in _names(node):
            found.setdefault(name, []).append(values.get(id(node), node))
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                for each in ast.walk(statement) if _assigns(statement) else (statement,):
                    for name in _names(each):
                        found.setdefault(f".{name}", []).append(each)
    return found


def key(node: ast.AST) -> str:
    """Return what a name or an attribute is called among the bindings; `?` for anything else."""
    return f".{node.attr}" if isinstance(node, ast.Attribute) else last_name(node)


def _assigns(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Assign, ast.AnnAssign))


def _matched(target: ast.expr, value: ast.expr) -> Iterator[tuple[int, ast.AST]]:
    """Yield the id of each target of an assignment with its value, where it can be told."""
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


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself binds, whatever is in it."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        if not isinstance(node.ctx, ast.Load):
            yield key(node)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
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
