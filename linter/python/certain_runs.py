"""Which code of a Python script is reached whenever the script runs.

That is what stands at its top, under `if __name__ == "__main__":`, and in functions that such code
calls; not what stands under another condition, or behind something that may end the script.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from bai.linter.python.syntax_tree import is_main, last_name

_MAYBE = (
    *(ast.If, ast.IfExp, ast.While, ast.For, ast.AsyncFor, ast.BoolOp, ast.Match, ast.Lambda),
    *(ast.Try, ast.TryStar, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_YIELDS = (ast.Yield, ast.YieldFrom)
_EXITS = frozenset({"exit", "_exit", "quit", "abort", "exec", "execv", "execvp", "execve"})


class CertainRuns:
    """The nodes of a script, with what they stand in."""

    def __init__(self, nodes: Sequence[ast.AST]) -> None:
        """Take all nodes of a script, parents before their children."""
        self._parents = {id(child): node for node in nodes for child in ast.iter_child_nodes(node)}
        self._scopes: dict[int, ast.AST] = {}
        """Id of a node -> the function or class that it stands in."""
        self._left: dict[int, int] = {}
        """Id of a function, 0 for the script -> the first line that may leave it."""
        for node in nodes:
            scope = node if isinstance(node, _SCOPES) else self._scopes.get(id(node))
            if scope:
                self._scopes.update((id(child), scope) for child in ast.iter_child_nodes(node))
            if isinstance(node, (ast.stmt, ast.expr)) and _leaves(node):
                left = id(scope) if scope else 0
                self._left[left] = min(node.lineno, self._left.get(left, node.lineno))
        self._definitions: dict[str, list[ast.AST]] = {}
        self._calls: dict[str, list[ast.Call]] = {}
        for node in nodes:
            if isinstance(node, _SCOPES):
                self._definitions.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                self._calls.setdefault(node.func.id, []).append(node)
            elif isinstance(node, ast.Call) and last_name(node.func) == "run":
                self._calls.setdefault("main", []).append(node)  # `tf.app.run()`
        self._functions: dict[str, bool] = {}
        """Name of a function -> whether it surely runs; False while it is looked at, too."""

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what a node stands in, innermost first."""
        while found := self._parents.get(id(node)):
            yield found
            node = found

    def reaches(self, node: ast.AST) -> bool:
        """Return whether a node surely runs, unless an error comes first."""
        scope = self._scopes.get(id(node))
        for each in self.above(node):
            if each is scope:
                break
            if isinstance(each, _MAYBE) and not (isinstance(each, ast.If) and is_main(each.test)):
                return False
        line = getattr(node, "lineno", 0)
        if self._left.get(id(scope) if scope else 0, line) < line:
            return False
        return scope is None or self._is_called(scope)

    def _is_called(self, scope: ast.AST) -> bool:
        """Return whether a function of the script, and not a method, surely runs."""
        if not isinstance(scope, ast.FunctionDef) or scope.decorator_list:
            return False
        name = scope.name
        if name not in self._functions:
            self._functions[name] = False
            self._functions[name] = (
                self._definitions[name] == [scope]
                and isinstance(self._parents.get(id(scope)), ast.Module)
                and not any(isinstance(each, _YIELDS) for each in ast.walk(scope))
                and any(map(self.reaches, self._calls.get(name, ())))
            )
        return self._functions[name]


def _leaves(node: ast.AST) -> bool:
    """Return whether what comes after a node may not run."""
    if isinstance(node, ast.Call):
        return last_name(node.func) in _EXITS
    return isinstance(node, (ast.Return, ast.Raise))
