"""Which values reach which names in a Python script.

Names are not followed through scopes: the same name anywhere is the same thing everywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from bai.linter.python.syntax_tree import assigned_names, last_name

Flow = tuple[set[str], ast.expr]
"""Names, and a value that they get."""


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
        elif isinstance(node, ast.Call) and last_name(node.func) == "setattr":
            match node.args:
                case [_, ast.Constant(value=str(name)), value]:
                    yield {name}, value


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
    """Yield the parameters of the script's functions and classes with what calls give them."""
    takers = _takers(nodes)
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        function, given = node.func, node.args
        if last_name(function) == "partial" and given:
            function, *given = given
        if (taken := takers.get(last_name(function))) is not None:
            yield from (({name}, value) for name, value in zip(taken, given, strict=False))
            # What **keywords takes is often kept under the same name.
            yield from (({each.arg}, each.value) for each in node.keywords if each.arg)


def _takers(nodes: Sequence[ast.AST]) -> dict[str, list[str]]:
    """Return the names that functions and classes give to what they are called with, in order."""
    takers: dict[str, list[str]] = {}
    heirs: list[tuple[str, list[str]]] = []
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name != "__init__":
            takers[node.name] = _parameters(node)
        elif isinstance(node, ast.ClassDef):
            makers = [
                each
                for each in node.body
                if isinstance(each, ast.FunctionDef) and each.name == "__init__"
            ]
            fields = [
                each.target.id
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            ]
            if makers or fields:
                takers[node.name] = _parameters(makers[0]) if makers else fields
            else:
                heirs.append((node.name, [last_name(base) for base in node.bases]))
    for name, bases in heirs:
        takers[name] = next((takers[base] for base in bases if base in takers), [])
    return takers


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names
