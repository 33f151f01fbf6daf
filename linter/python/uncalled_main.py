"""Whether a Python script defines what it should do, and does not do it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from bai.linter.python.syntax_tree import last_name


def uncalled_main(tree: ast.Module) -> int | None:
    """Return the line of a function `main` that nothing calls, in a script that does nothing else.

    Imports may do something, but not call the functions of the script that imports them.
    """
    mains = [
        node
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "main"
    ]
    if not mains or not all(map(_is_quiet, tree.body)):
        return None
    if any(last_name(node) == "main" for node in ast.walk(tree)):
        return None
    return mains[-1].lineno


def _is_quiet(statement: ast.stmt) -> bool:
    """Return whether a statement calls nothing, and only gives names to things."""
    if isinstance(statement, ast.Try):
        inner: Iterable[ast.stmt] = [
            *statement.body,
            *(each for handler in statement.handlers for each in handler.body),
            *statement.orelse,
            *statement.finalbody,
        ]
        return all(map(_is_quiet, inner))
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return not statement.decorator_list
    if isinstance(statement, ast.ClassDef):
        methods = (ast.FunctionDef, ast.AsyncFunctionDef)
        return not statement.decorator_list and all(
            isinstance(each, methods) or _is_quiet(each) for each in statement.body
        )
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass)):
        return True
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    is_assignment = isinstance(statement, (ast.Assign, ast.AnnAssign))
    return is_assignment and not any(isinstance(node, ast.Call) for node in ast.walk(statement))
