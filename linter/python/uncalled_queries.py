"""Where a Python script names a function of Horovod without calling it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bai.linter.python.horovod_api import QUERIES
from bai.linter.python.horovod_script import HorovodScript
from bai.linter.python.results import HorovodCall
from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import dotted_name

_TAKES_NUMBERS = frozenset({"int", "float", "str", "range"})
"""Builtins that make no sense for functions."""
_SAME = (ast.Eq, ast.NotEq)
_AMONG = (ast.In, ast.NotIn)
_IDENTICAL = (ast.Is, ast.IsNot)


def uncalled_inits(script: HorovodScript) -> list[ast.expr]:
    """Return the statements `hvd.init` without parentheses."""
    values = (node.value for node in script.of(ast.Expr))
    return [value for value in values if script.horovod.possible(value) == "init"]


def uncalled_queries(script: HorovodScript) -> Iterator[HorovodCall]:
    """Yield where `hvd.rank` and the like are compared, computed with or tested."""
    for node in script.nodes:
        for operand in _operands(node, script):
            if script.horovod.certain(operand) in QUERIES:
                yield HorovodCall(operand.lineno, dotted_name(operand))


def _operands(node: ast.AST, model: ScriptModel) -> Iterator[ast.expr]:
    """Yield the parts of a node that make sense as numbers and not as functions."""
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.Compare):
        pairs = zip((node.left, *node.comparators), node.ops, node.comparators, strict=False)
        for left, operator, right in pairs:
            if isinstance(operator, _IDENTICAL):
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
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in _TAKES_NUMBERS - model.bindings.keys()
    ):
        yield from node.args


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
