"""Where a Python script names a function of Horovod without calling it, or calls it before init.

For the latter, the script's statements are followed in the order in which they certainly run: the
module's, those under `if __name__ == "__main__":`, and those of the script's functions where they
are called. Code that may not run is skipped, and the walk ends where Horovod may be initialised.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from bai.linter.python.horovod_api import COLLECTIVES, QUERIES
from bai.linter.python.horovod_script import HorovodScript
from bai.linter.python.results import Use
from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import (
    all_arguments,
    assigned_names,
    dotted_name,
    is_main,
    last_name,
    runs_when_called,
)

_OF_TORCH = COLLECTIVES - {"broadcast_optimizer_state"} | {"DistributedOptimizer"}
"""What else fails before init with PyTorch. TensorFlow may only note them for later."""
_RUNNERS = frozenset({"run", "main", "launch", "Fire"})
"""Calls of libraries that may call any function of the script: `tf.app.run()`."""
_TAKES_NUMBERS = frozenset({"int", "float", "str", "range"})
"""Builtins that make no sense for functions."""
_SAME = (ast.Eq, ast.NotEq)
_AMONG = (ast.In, ast.NotIn)


def uncalled_inits(script: HorovodScript) -> list[ast.expr]:
    """Return the statements `hvd.init` without parentheses."""
    values = (node.value for node in script.of(ast.Expr))
    return [value for value in values if script.possible(value) == "init"]


def uncalled_queries(script: HorovodScript) -> Iterator[Use]:
    """Yield where `hvd.rank` and the like are compared, computed with or tested."""
    for node in script.nodes:
        for operand in _operands(node, script):
            if script.certain(operand) in QUERIES:
                yield Use(operand.lineno, dotted_name(operand))


def _operands(node: ast.AST, model: ScriptModel) -> Iterator[ast.expr]:
    """Yield the parts of a node that make sense as numbers and not as functions."""
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.Compare):
        pairs = zip((node.left, *node.comparators), node.ops, node.comparators, strict=False)
        for left, operator, right in pairs:
            if isinstance(operator, (ast.Is, ast.IsNot)):
                continue
            by_order = not isinstance(operator, (*_SAME, *_AMONG))
            if by_order or _is_number(right) or (isinstance(operator, _AMONG) and _lists(right)):
                yield left
            if by_order or (isinstance(operator, _SAME) and _is_number(left)):
                yield right
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield node.test
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from node.args if node.func.id in _TAKES_NUMBERS - model.bindings.keys() else ()


def _is_number(node: ast.expr) -> bool:
    """Return whether an expression certainly is a number: a function may equal any other value."""
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return True
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def _lists(node: ast.expr) -> bool:
    """Return whether an expression is a list of numbers."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "range"
    return isinstance(node, (ast.Tuple, ast.List, ast.Set)) and all(map(_is_number, node.elts))


def early_queries(script: HorovodScript) -> Iterator[Use]:
    """Yield the first use of Horovod that certainly comes before init and fails, if any."""
    if not any(script.asked(call) == "init" for call in script.of(ast.Call)):
        return
    for node in script.of(ast.Assign):
        if not script.horovod_modules.isdisjoint(assigned_names(node)):
            return  # Horovod's name is also that of another object
    try:
        _Run(script).block(script.tree.body)
    except _Over as over:
        yield from over.args


class _Over(Exception):  # noqa: N818 - it is no error
    """Ends the walk, with the query that came too early, if one did."""


class _Run:
    """A walk through a script's statements, in order."""

    def __init__(self, script: HorovodScript) -> None:
        self._script = script
        self._initialising = script.leading_to(script.initialising)
        is_of_torch = set(script.frameworks.values()) == {"torch"}
        self._queries = QUERIES | _OF_TORCH if is_of_torch else QUERIES
        methods = {id(each) for node in script.of(ast.ClassDef) for each in node.body}
        self._definitions: dict[str, list[ast.stmt]] = {}
        """The functions and classes of the script, without methods."""
        for name, nodes in script.definitions.items():
            if own := [node for node in nodes if id(node) not in methods]:
                self._definitions[name] = own
        self._entered: set[str] = set()

    def block(self, body: Iterable[ast.stmt]) -> bool:
        """Follow statements; return whether the code after them is still reached.

        Raises:
            _Over: a query came too early, or Horovod may be initialised.
        """
        return all(map(self._follow, body))

    def _skip(self, nodes: Iterable[ast.AST]) -> None:
        """Pass over code that may not run."""
        if any(id(node) in self._initialising for node in nodes):
            raise _Over

    def _all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self._follow(node)

    def _follow(self, node: ast.AST) -> bool:
        """Follow a statement or an expression; return whether what comes next is still reached."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._all([*node.decorator_list, *node.args.defaults])
            case ast.ClassDef():
                self._all([*node.decorator_list, *node.bases])
                return self.block(node.body)
            case ast.With() | ast.AsyncWith():
                self._all(item.context_expr for item in node.items)
                return self.block(node.body)
            case ast.If() if is_main(node.test):
                return self.block(node.body)
            case ast.Call():
                self._call(node)
            case ast.If(test=first) | ast.While(test=first) | ast.IfExp(test=first):
                self._begin(node, first)
            case ast.For(iter=first) | ast.AsyncFor(iter=first) | ast.BoolOp(values=[first, *_]):
                self._begin(node, first)
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                self._begin(node, node.generators[0].iter)
            case ast.Lambda() | ast.GeneratorExp() | ast.Try() | ast.TryStar() | ast.Match():
                self._skip([node])
            case _:
                self._all(ast.iter_child_nodes(node))
                if isinstance(node, (ast.Name, ast.Attribute)):
                    self._skip([node])
        return not isinstance(node, (ast.Return, ast.Raise))

    def _begin(self, node: ast.AST, first: ast.AST) -> None:
        """Follow the part of a node that runs first, and pass over the others."""
        self._follow(first)
        self._skip(part for part in ast.iter_child_nodes(node) if part is not first)

    def _call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            self._follow(node.func.value)
        self._all(all_arguments(node))
        asked = self._script.asked(node)
        if asked in self._queries:
            raise _Over(Use(node.lineno, dotted_name(node.func)))
        name = last_name(node.func)
        if asked == "is_initialized" or (name in _RUNNERS and name not in self._definitions):
            raise _Over
        match self._definitions.get(name) if isinstance(node.func, ast.Name) else None:
            case [function] if runs_when_called(function):
                if name not in self._entered:
                    self._entered.add(name)
                    self.block(function.body)
            case _:
                self._skip([node])
