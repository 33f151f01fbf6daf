"""Names, arguments and statements in Python's syntax trees."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeGuard

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS: Final = (*FUNCTIONS, ast.ClassDef)
TRIES: Final = (ast.Try, ast.TryStar)
LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
"""Statements that end the block that they are in."""
EXITS: Final = frozenset({"exit", "_exit", "quit", "abort"})
"""Calls that end the process."""
TURNED: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = (
    {ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}
    | {ast.Lt: ast.Gt, ast.Gt: ast.Lt}
    | {ast.LtE: ast.GtE, ast.GtE: ast.LtE}
)
"""A comparison -> the same one with its sides swapped."""
COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[int, int], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
}


def dotted_name(node: ast.AST) -> str:
    """Return `a.b.c` for such an expression; calls and subscripts on the way give `?`."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "?")
    return ".".join(reversed(parts))


def last_name(node: ast.AST) -> str:
    """Return `c` for `a.b.c`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else "?"


def binding_key(node: ast.AST) -> str:
    """Return the key of an expression among the bindings: `a` for `a`, `.b` for `a.b`, or `?`."""
    return f".{node.attr}" if isinstance(node, ast.Attribute) else last_name(node)


def assigned_names(node: ast.AST) -> set[str]:
    """Return the names that an assignment, a loop or a target sets, of attributes the last part."""
    match node:
        case ast.Name() | ast.Attribute():
            return {last_name(node)}
        case ast.Assign(targets=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            return set().union(*map(assigned_names, parts))
    target = getattr(node, "target", None)
    return assigned_names(target) if target else set()


def all_arguments(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call, by position and by name."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def argument(call: ast.Call, position: int, *names: str) -> list[ast.expr]:
    """Return the argument at a position or under one of these names, or nothing."""
    for keyword in call.keywords:
        if keyword.arg in names:
            return [keyword.value]
    return call.args[position : position + 1]


def positional_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the names of the parameters that arguments without a name are for."""
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


def mentioned_names(node: ast.AST) -> Iterator[str]:
    """Yield the names and the last parts of the attributes within a node."""
    for each in ast.walk(node):
        if isinstance(each, (ast.Name, ast.Attribute)):
            yield last_name(each)


def calls_within(nodes: Iterable[ast.AST]) -> Iterator[ast.Call]:
    """Yield the calls within some nodes."""
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Call):
                yield each


def called_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the last names of what is called within some nodes."""
    return {last_name(call.func) for call in calls_within(nodes)}


def catches(handler: ast.ExceptHandler, errors: Collection[str]) -> bool:
    """Return whether a handler catches one of these errors."""
    return handler.type is None or any(each in errors for each in mentioned_names(handler.type))


def is_call_of(statement: ast.AST, names: Collection[str]) -> bool:
    """Return whether a statement calls a function with one of these last names."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and last_name(statement.value.func) in names
    )


def statements(branch: list[ast.stmt] | ast.expr) -> Sequence[ast.AST]:
    """Return the statements of a branch of a condition, or its expression."""
    return branch if isinstance(branch, list) else [branch]


def is_main(test: ast.expr) -> bool:
    """Return whether a test is `__name__ == "__main__"`."""
    return isinstance(test, ast.Compare) and "__name__" in mentioned_names(test)


def text_of(node: ast.AST) -> str:
    """Return the text that a constant is, empty for any other node."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_none(node: ast.AST) -> bool:
    """Return whether a node is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None


def runs_when_called(node: ast.AST) -> TypeGuard[ast.FunctionDef]:
    """Return whether calling a definition runs its body, and nothing else."""
    return (
        isinstance(node, ast.FunctionDef)
        and not node.decorator_list
        and not any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))
    )


def compared(test: ast.Compare) -> tuple[ast.expr, type[ast.cmpop], ast.expr]:
    """Return a comparison of two values, with an integer, if one is, on the right."""
    left, kind, right = test.left, type(test.ops[0]), test.comparators[0]
    if integer(left) is not None and kind in TURNED:
        return right, TURNED[kind], left
    return left, kind, right


def integer(node: ast.AST) -> int | None:
    """Return the value of an integer, perhaps with a minus sign; None for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = integer(node.operand)
        return None if number is None else -number
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None
