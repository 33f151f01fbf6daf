"""Names and arguments in Python's syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

TURNED: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
}
"""A comparison -> the same one with its sides changed."""


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


def is_main(test: ast.expr) -> bool:
    """Return whether a test is `__name__ == "__main__"`."""
    return isinstance(test, ast.Compare) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(test)
    )
