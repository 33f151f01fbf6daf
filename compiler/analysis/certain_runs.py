"""Which code of a Python script is reached whenever the script runs.

That is what stands at its top, under `if __name__ == "__main__":`, and in functions that such code
calls; not what stands under another condition, or behind something that may end the script.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from bai.compiler.analysis.syntax_tree import is_main, last_name

_MAYBE = (
    *(ast.If, ast.IfExp, ast.While, ast.For, ast.AsyncFor, ast.BoolOp, ast.Match, ast.Lambda),
    *(ast.Try, ast.TryStar, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_YIELDS = (ast.Yield, ast.YieldFrom)
_EXITS = frozenset({"exit", "_exit", "quit", "abort", "exec", "execv", "execvp", "execve"})


class CertainRuns:
    """The nodes of a script, with what they stand in."""

    def __init__(self, nodes: Sequence[ast.AST]) -> None:
        """Take all nodes of a script, parents before their children."""
        self._parents = {id(child): node for node in nodes for child in ast.iter_child_nodes(node)}
        self._leaving = [node for node in nodes if _leaves(node)]
        self._definitions: dict[str, list[ast.AST]] = {}
        self._calls: dict[str, list[ast.Call]] = {}
        for node in nodes:
            if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
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
        scope = None
        for each in self.above(node):
            if isinstance(each, (*_FUNCTIONS, ast.ClassDef)):
                scope = each
                break
            if isinstance(each, _MAYBE) and not (isinstance(each, ast.If) and is_main(each.test)):
                return False
        line = getattr(node, "lineno", 0)
        if any(
            each.lineno < line and scope is self._scope(each)
            for each in self._leaving
            if isinstance(each, (ast.stmt, ast.expr))
        ):
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

    def _scope(self, node: ast.AST) -> ast.AST | None:
        scopes = (*_FUNCTIONS, ast.ClassDef)
        return next((each for each in self.above(node) if isinstance(each, scopes)), None)


def _leaves(node: ast.AST) -> bool:
    """Return whether what comes after a node may not run."""
    if isinstance(node, ast.Call):
        return last_name(node.func) in _EXITS
    return isinstance(node, (ast.Return, ast.Raise))
