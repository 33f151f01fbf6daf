"""Which code of a Python script runs whenever the script runs.

That is code at its top, under `if __name__ == "__main__":`, and in functions that such code calls;
not code under another condition, or after something that may end the script.
"""

from __future__ import annotations

import ast

from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import EXITS, TRIES, is_main, last_name, runs_when_called

_MAYBE = (
    *(ast.If, ast.IfExp, ast.While, ast.For, ast.AsyncFor, ast.BoolOp, ast.Match, ast.Lambda),
    *(*TRIES, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_REPLACES = EXITS | {"exec", "execv", "execvp", "execve"}


class CertainRuns:
    """The nodes of a script that certainly run."""

    def __init__(self, model: ScriptModel) -> None:
        self._model = model
        self._left: dict[int, int] = {}
        """Id of a scope -> the first line that may leave it."""
        leaving = [call for call in model.of(ast.Call) if last_name(call.func) in _REPLACES]
        for node in (*model.of(ast.Return, ast.Raise), *leaving):
            scope = id(model.scope(node))
            self._left[scope] = min(node.lineno, self._left.get(scope, node.lineno))
        self._calls: dict[str, list[ast.Call]] = {}
        for call in model.of(ast.Call):
            if isinstance(call.func, ast.Name):
                self._calls.setdefault(call.func.id, []).append(call)
            elif last_name(call.func) == "run":
                self._calls.setdefault("main", []).append(call)  # `tf.app.run()`
        self._functions: dict[str, bool] = {}
        """Name of a function -> whether it certainly runs; False also while it is resolved."""

    def includes(self, node: ast.AST) -> bool:
        """Return whether a node certainly runs, unless an error comes first."""
        scope = self._model.scope(node)
        for each in self._model.above(node):
            if each is scope:
                break
            if isinstance(each, _MAYBE) and not (isinstance(each, ast.If) and is_main(each.test)):
                return False
        line = getattr(node, "lineno", 0)
        if self._left.get(id(scope), line) < line:
            return False
        return scope is None or self._is_called(scope)

    def _is_called(self, scope: ast.AST) -> bool:
        """Return whether a function of the script, and not a method, certainly runs."""
        if not runs_when_called(scope):
            return False
        name = scope.name
        if name not in self._functions:
            self._functions[name] = False
            self._functions[name] = (
                self._model.definitions[name] == [scope]
                and scope in self._model.tree.body
                and any(map(self.includes, self._calls.get(name, ())))
            )
        return self._functions[name]
