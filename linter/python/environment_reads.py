"""Which of the service's environment variables a Python script needs.

A script does not need a variable if it handles its absence: by a default, a test, or a `try`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from bai.linter.python.results import VariableRead
from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import (
    EXITS,
    TRIES,
    assigned_names,
    dotted_name,
    is_main,
    last_name,
    mentioned_names,
    runs_when_called,
    text_of,
)

_NAME = re.compile(r"AZ(?:URE)?_?BATCH\w*", re.ASCII)
"""What may be meant for a variable of the service."""
_MOST = 200
"""Names that are looked at."""
_ENVIRONMENT = frozenset({"os.environ", "environ"})
_GETS = frozenset({"os.getenv", "getenv", "os.environ.get", "environ.get"})
_SETS_ANY = ("load_dotenv", "environ.update", "read_env")
_TAKES_TEXTS = frozenset(
    {"join", "Path", "PurePath", "open", "makedirs", "mkdir", "listdir", "int", "float"}
)
"""Calls that fail if they are given None."""


_MAYBE = (
    *(ast.If, ast.IfExp, ast.While, ast.For, ast.AsyncFor, ast.BoolOp, ast.Match, ast.Lambda),
    *(*TRIES, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_REPLACES = EXITS | {"exec", "execv", "execvp", "execve"}


def environment_reads(model: ScriptModel) -> Iterator[VariableRead]:
    """Yield where a script needs which variables."""
    named = [node for node in model.of(ast.Constant) if _NAME.fullmatch(text_of(node))]
    if not named or _sets_any(model):
        return
    runs = _CertainRuns(model)
    tested = {name for test in _tests(model) for name in mentioned_names(test)}
    texts: dict[str, list[ast.AST]] = {}  # names that must be texts, with these uses
    for use in model.of(ast.BinOp, ast.Call):
        for part in _must_be_texts(use):
            texts.setdefault(last_name(part), []).append(use)
    found: list[VariableRead] = []
    # Names that more is done with than to read them.
    handled: set[str | None] = {node.arg for node in model.of(ast.keyword)}
    for node in named[:_MOST]:
        name = text_of(node)
        kept = None if any(map(_catches, model.above(node))) else _kept(node, model)
        if kept is None or not kept.isdisjoint(tested):
            handled.add(name)
            continue
        uses = [use for each in kept for use in texts.get(each, ())]
        needed = not kept or any(map(runs.includes, uses[:_MOST]))
        found.append(VariableRead(node.lineno, name, needed and runs.includes(node)))
    yield from (each for each in found if each.name not in handled)


def _kept(name: ast.Constant, model: ScriptModel) -> set[str] | None:
    """Return the names that keep the value of a variable, which may be None.

    Returns:
        No names where the script fails at once without the variable; None where it does not fail,
        or where the name is not there to read the variable.
    """
    read, outer, *_ = (*model.above(name), None)
    match read:
        case ast.Subscript(ctx=ast.Load(), value=owner) if dotted_name(owner) in _ENVIRONMENT:
            return set()
        case ast.Call(args=[_], keywords=[], func=function) if dotted_name(function) in _GETS:
            if isinstance(outer, ast.Assign):
                return assigned_names(outer) or None
            if isinstance(outer, (ast.BinOp, ast.Call)) and read in _must_be_texts(outer):
                return set()
    return None


def _must_be_texts(node: ast.BinOp | ast.Call) -> Sequence[ast.expr]:
    """Return the parts of an expression that must not be None."""
    if isinstance(node, ast.Call):
        return node.args if last_name(node.func) in _TAKES_TEXTS else ()
    # `"%s" % None` is fine.
    return (node.left, node.right) if isinstance(node.op, (ast.Add, ast.Div)) else ()


def _catches(node: ast.AST) -> bool:
    """Return whether a KeyError in a node may have no consequences."""
    if isinstance(node, ast.With):
        return any("suppress" in ast.dump(item.context_expr) for item in node.items)
    return isinstance(node, TRIES)


def _sets_any(model: ScriptModel) -> bool:
    """Return whether a script may set variables whose names it does not contain."""
    return any(
        isinstance(node.ctx, ast.Store)
        and dotted_name(node.value) in _ENVIRONMENT
        and not isinstance(node.slice, ast.Constant)
        for node in model.of(ast.Subscript)
    ) or any(dotted_name(node.func).endswith(_SETS_ANY) for node in model.of(ast.Call))


def _tests(model: ScriptModel) -> Iterator[ast.expr]:
    """Yield all conditions."""
    for node in (*model.of(ast.If, ast.IfExp), *model.of(ast.While, ast.Assert)):
        yield node.test
    for each in model.of(ast.BoolOp):
        yield from each.values
    yield from model.of(ast.Compare)
    yield from (each.subject for each in model.of(ast.Match))


class _CertainRuns:
    """The nodes of a script that run whenever it runs.

    They are code at its top, under `if __name__ == "__main__":`, and in functions that such code
    calls; not code under another condition, or after something that may end the script.
    """

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
