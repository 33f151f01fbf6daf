"""Names and values in Python's syntax trees, and which values reach which names.

Names are not followed through scopes: the same name anywhere is the same thing everywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

Flow = tuple[set[str], ast.expr]
"""Names, and a value that they get."""


def dotted_name(node: ast.AST) -> str:
    """Return `a.b.c` for such an expression; calls and subscripts on the way give `?`."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "?")
    return ".".join(reversed(parts))


def last_name(node: ast.AST) -> str:
    """Return `c` for `a.b.c`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else "?"


def assigned_names(targets: Iterable[ast.expr]) -> Iterator[str]:
    """Yield the names that an assignment sets, of attributes the last part."""
    for target in targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            yield from assigned_names(target.elts)
        elif isinstance(target, (ast.Name, ast.Attribute)):
            yield last_name(target)


def keyword_values(node: ast.Call) -> Iterator[ast.expr]:
    """Yield the values of the arguments that a call names."""
    return (keyword.value for keyword in node.keywords)


def argument(node: ast.Call, position: int, *names: str) -> list[ast.expr]:
    """Return the argument at a position or under one of these names, or nothing."""
    for keyword in node.keywords:
        if keyword.arg in names:
            return [keyword.value]
    return node.args[position : position + 1]


def flows(nodes: Sequence[ast.AST]) -> list[Flow]:
    """Return which values names get: by assignment, `with`, as a function's result or argument.

    `nodes` are a tree's, parents before their children.
    """
    return [*_assignments(nodes), *_returns(nodes), *_arguments(nodes)]


def _assignments(nodes: Sequence[ast.AST]) -> Iterator[Flow]:
    for node in nodes:
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if node.value is not None:
                yield set(assigned_names(targets)), node.value
            if isinstance(node.value, ast.Lambda):
                yield set(assigned_names(targets)), node.value.body
        elif isinstance(node, ast.withitem) and node.optional_vars:
            yield set(assigned_names([node.optional_vars])), node.context_expr


def _returns(nodes: Sequence[ast.AST]) -> Iterator[Flow]:
    """Yield the names of functions with what they return."""
    owners: dict[int, str] = {}
    for node in nodes:
        owner = owners.get(id(node), "")
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            owner = node.name
        elif isinstance(node, ast.Return) and node.value is not None:
            yield {owner}, node.value
        owners.update((id(child), owner) for child in ast.iter_child_nodes(node))


def _arguments(nodes: Sequence[ast.AST]) -> Iterator[Flow]:
    """Yield the parameters of the script's functions with what calls give them."""
    takers = {
        name: function.args
        for node in nodes
        for name, function in _callables(node)
        if name != "__init__"
    }
    for node in nodes:
        if isinstance(node, ast.Call) and (known := takers.get(last_name(node.func))):
            taken = [each.arg for each in (*known.posonlyargs, *known.args)]
            if taken[:1] == ["self"]:
                del taken[0]
            yield from (({name}, value) for name, value in zip(taken, node.args, strict=False))
            taken += [each.arg for each in known.kwonlyargs]
            for keyword in node.keywords:
                if keyword.arg in taken:
                    yield {keyword.arg}, keyword.value


def _callables(node: ast.AST) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield a function under its name, and what makes instances of a class under the class's."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield node.name, node
    elif isinstance(node, ast.ClassDef):
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
                yield node.name, statement
