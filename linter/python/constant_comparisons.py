"""Which comparisons of a rank, or of the number of processes, come out the same on every rank.

Ranks count from 0 and stay below the number of processes, which is 1 at least. Nothing is found in
an assertion, or in a check that ends the script: these are meant to come out the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bai.linter.python.bindings import Bindings
from bai.linter.python.certain_names import CertainNames
from bai.linter.python.horovod_order import QUESTIONS
from bai.linter.python.results import ConstantComparison
from bai.linter.python.syntax_tree import TURNED, dotted_name, last_name

_SIZES: Final[Mapping[str, frozenset[str]]] = {
    "rank": frozenset({"size"}),
    "local_rank": frozenset({"local_size", "size"}),
    "cross_rank": frozenset({"cross_size", "size"}),
}
"""A rank -> the numbers that it is always below."""
_LONGEST = 20
"""Characters of a text that a rank is compared with."""
_MOST_VALUES = 20
"""Values of a name that are looked at, each time that it is compared."""
_ENDS = frozenset({"exit", "_exit", "quit", "abort", "fail"})


def constant_comparisons(
    nodes: Sequence[ast.AST], bound: Bindings, horovod: CertainNames
) -> tuple[ConstantComparison, ...]:
    """Return the comparisons that never hold, or always, by line.

    `nodes` are all nodes of the script, parents before their children.
    """
    checks: set[int] = set()
    found: set[ConstantComparison] = set()
    for node in nodes:
        if id(node) in checks or _is_assertion(node):
            checks.update(map(id, ast.iter_child_nodes(node)))
        elif isinstance(node, ast.If) and _ends(node.body[-1]):
            checks.add(id(node.test))
        elif isinstance(node, ast.Compare):
            found.update(_constant(node, bound, horovod))
    return tuple(sorted(found))


def _constant(
    node: ast.Compare, bound: Bindings, horovod: CertainNames
) -> Iterator[ConstantComparison]:
    left, operator, right = node.left, type(node.ops[0]), node.comparators[0]
    if len(node.ops) > 1 or operator not in TURNED:
        return
    question, other = _question(left, bound, horovod), _question(right, bound, horovod)
    if question is None or other in _SIZES:
        left, operator, right = right, TURNED[operator], left
        question, other = other, question
    if question is None:
        return
    least = 1 if question.endswith("size") else 0
    number = _number(right)
    hint = None
    if isinstance(right, ast.Constant) and isinstance(right.value, str):
        if operator in (ast.Eq, ast.NotEq) and len(right.value) <= _LONGEST:
            hint = f"{_said(left)} is a number: write it without quotes"
    elif number is not None and _is_below(operator, number, least):
        hint = "there is at least 1 process" if least else "ranks count from 0"
    elif other in _SIZES.get(question, ()) and operator in (ast.Eq, ast.Gt, ast.GtE):
        hint = f"ranks count from 0: the last one is {_said(right)} - 1"
    if hint:
        yield ConstantComparison(node.lineno, ast.unparse(node), operator is ast.NotEq, hint)


def _question(node: ast.expr, bound: Bindings, horovod: CertainNames) -> str | None:
    """Return what an expression surely asks Horovod, as `rank`."""
    values: Sequence[ast.AST] = (node,)
    if isinstance(node, ast.Name):
        values = bound.get(node.id, ())
    if len(values) > _MOST_VALUES:
        return None
    asked = {
        None
        if isinstance(value, ast.Call) and (value.args or value.keywords)  # of a process set
        else horovod.called(value)
        for value in values
    }
    question = asked.pop() if len(asked) == 1 else None
    return question if question in QUESTIONS else None


def _is_below(operator: type[ast.cmpop], number: int, least: int) -> bool:
    """Return whether nothing that is at least `least` compares so with a number."""
    if operator is ast.Lt:
        return number <= least
    return operator in (ast.Eq, ast.LtE) and number < least


def _number(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = _number(node.operand)
        return None if number is None else -number
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def _said(node: ast.expr) -> str:
    return f"{dotted_name(node.func)}()" if isinstance(node, ast.Call) else dotted_name(node)


def _is_assertion(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return last_name(node.func).startswith("assert")
    return isinstance(node, ast.Assert)


def _ends(statement: ast.stmt) -> bool:
    """Return whether a statement ends what it stands in, as a check does that fails."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return last_name(statement.value.func) in _ENDS
    return isinstance(statement, ast.Raise)
