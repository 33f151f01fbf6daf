"""Whether a Python script defines its `main` and does not call it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bai.linter.python.syntax_tree import FUNCTIONS, TRIES, mentioned_names


def uncalled_main(tree: ast.Module) -> Iterator[int]:
    """Yield the line of a function `main` that nothing calls, in a script that does nothing else.

    Imports may have effects, but do not call the functions of the script that imports them.
    """
    mains = [node for node in tree.body if isinstance(node, FUNCTIONS) and node.name == "main"]
    if mains and all(map(_has_no_effect, tree.body)) and "main" not in mentioned_names(tree):
        yield mains[-1].lineno


def _has_no_effect(statement: ast.stmt) -> bool:
    """Return whether a statement calls nothing, and only binds names."""
    if isinstance(statement, TRIES):
        handled = [each for handler in statement.handlers for each in handler.body]
        inner = [*statement.body, *handled, *statement.orelse, *statement.finalbody]
        return all(map(_has_no_effect, inner))
    if isinstance(statement, FUNCTIONS):
        return not statement.decorator_list
    if isinstance(statement, ast.ClassDef):
        return not statement.decorator_list and all(
            isinstance(each, FUNCTIONS) or _has_no_effect(each) for each in statement.body
        )
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return not any(isinstance(node, ast.Call) for node in ast.walk(statement))
    return isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass))
