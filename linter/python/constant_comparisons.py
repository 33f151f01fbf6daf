"""Which comparisons of a rank, or of the number of processes, are the same on every rank.

Ranks count from 0 and stay below the number of processes, which is 1 at least. Assertions and
checks that end the script are left out: these are meant to be the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bai.linter.python.horovod_api import QUERIES
from bai.linter.python.horovod_script import HorovodScript
from bai.linter.python.results import ConstantComparison
from bai.linter.python.syntax_tree import (
    COMPARISONS,
    EXITS,
    TURNED,
    all_arguments,
    dotted_name,
    integer,
    is_call_of,
    last_name,
)

_SIZES: Final[Mapping[str, frozenset[str]]] = {
    "rank": frozenset({"size"}),
    "local_rank": frozenset({"local_size", "size"}),
    "cross_rank": frozenset({"cross_size", "size"}),
}
"""A rank -> the numbers that it is always below."""
_LONGEST = 20
"""Longer texts that a rank is compared with, in characters, are not looked at."""
_MOST_VALUES = 20
"""Names with more values are not looked at."""
_FAILURES = EXITS | {"fail"}


def constant_comparisons(script: HorovodScript) -> Iterator[ConstantComparison]:
    """Yield the comparisons that never hold, or always."""
    tests = [
        node.test
        for node in script.of(ast.If)
        if isinstance(node.body[-1], ast.Raise) or is_call_of(node.body[-1], _FAILURES)
    ]
    calls = [node for node in script.of(ast.Call) if last_name(node.func).startswith("assert")]
    checks = script.within([*tests, *calls, *script.of(ast.Assert)])
    for node in script.of(ast.Compare):
        if id(node) not in checks and len(node.ops) == 1 and type(node.ops[0]) in TURNED:
            yield from _constant(node, script)


def _constant(node: ast.Compare, script: HorovodScript) -> Iterator[ConstantComparison]:
    left, kind, right = node.left, type(node.ops[0]), node.comparators[0]
    query, other = _query(left, script), _query(right, script)
    if query is None or other in _SIZES:
        left, kind, right = right, TURNED[kind], left
        query, other = other, query
    if query is None:
        return
    least = 1 if query.endswith("size") else 0
    number = integer(right)
    hint = None
    if isinstance(right, ast.Constant) and isinstance(right.value, str):
        if kind in (ast.Eq, ast.NotEq) and len(right.value) <= _LONGEST:
            hint = f"{_written(left)} is a number: write it without quotes"
    elif number is not None and not any(
        COMPARISONS[kind](value, number) for value in (least, number, number + 1) if value >= least
    ):
        hint = "there is at least 1 process" if least else "ranks count from 0"
    elif other in _SIZES.get(query, ()) and kind in (ast.Eq, ast.Gt, ast.GtE):
        hint = f"ranks count from 0: the last one is {_written(right)} - 1"
    if hint:
        yield ConstantComparison(node.lineno, ast.unparse(node), kind is ast.NotEq, hint)


def _query(node: ast.expr, script: HorovodScript) -> str | None:
    """Return what an expression certainly asks Horovod for: `rank`, for example."""
    values: Sequence[ast.AST] = script.values(node) if isinstance(node, ast.Name) else (node,)
    if len(values) > _MOST_VALUES:
        return None
    if any(isinstance(value, ast.Call) and all_arguments(value) for value in values):
        return None  # of a process set
    queries = {script.called(value) for value in values}
    query = queries.pop() if len(queries) == 1 else None
    return query if query in QUERIES else None


def _written(node: ast.expr) -> str:
    return f"{dotted_name(node.func)}()" if isinstance(node, ast.Call) else dotted_name(node)
