"""Where a Python script takes one of Horovod's functions for the number that it returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from bai.linter.python.bindings import Bindings
from bai.linter.python.certain_names import CertainNames
from bai.linter.python.horovod_order import QUESTIONS
from bai.linter.python.results import Question
from bai.linter.python.syntax_tree import dotted_name

_TAKES_NUMBERS = frozenset({"int", "float", "str", "range"})
"""Builtins that nobody gives a function to."""
_SAME = (ast.Eq, ast.NotEq)
_AMONG = (ast.In, ast.NotIn)
_IDENTICAL = (ast.Is, ast.IsNot)


def uncalled_questions(
    nodes: Sequence[ast.AST], bound: Bindings, horovod: CertainNames
) -> tuple[Question, ...]:
    """Return where `hvd.rank` and its like are compared, computed with or tested, by line."""
    found = {
        Question(operand.lineno, dotted_name(operand))
        for node in nodes
        for operand in _operands(node, bound)
        if horovod.function(operand) in QUESTIONS
    }
    return tuple(sorted(found))


def _operands(node: ast.AST, bound: Bindings) -> Iterator[ast.expr]:
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
        and node.func.id in _TAKES_NUMBERS - bound.keys()
    ):
        yield from node.args


def _is_number(node: ast.expr) -> bool:
    """Return whether an expression surely is a number: a function may equal any other value."""
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
