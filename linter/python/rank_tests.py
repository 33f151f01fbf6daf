"""Which conditions of a Python script certainly hold on the first rank only, or on all others."""

from __future__ import annotations

import ast
import enum
from collections.abc import Sequence

from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.syntax_tree import (
    COMPARISONS,
    binding_key,
    compared,
    integer,
    runs_when_called,
)


class Side(enum.Enum):
    """A part of the ranks."""

    FIRST = enum.auto()
    OTHERS = enum.auto()

    @property
    def opposite(self) -> Side:
        """The other ranks."""
        return Side.OTHERS if self is Side.FIRST else Side.FIRST


class RankTests:
    """The conditions of a script, as far as it is certain what they mean."""

    def __init__(self, script: HorovodNames) -> None:
        self._script = script
        self._sides: dict[str, Side | None] = {}
        """Name -> where its value holds; None also while the name is being resolved."""
        self._ranks: dict[str, bool] = {}
        """Name -> whether it is the rank."""

    def sides(self, test: ast.expr) -> tuple[Side | None, Side | None]:
        """Return which ranks at most run the two branches under a condition; None if unknown."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            if any(self._script.called(node) == "size" for node in ast.walk(test)):
                return None, None  # in a gang of one the first rank waits for nobody
            known = {side for each in test.values if (side := self._holds(each))}
            return (known.pop() if len(known) == 1 else None), None
        side = self._holds(test)
        return side, side.opposite if side else None

    def is_rank(self, node: ast.AST) -> bool:
        """Return whether an expression certainly is the rank."""
        if self._script.called(node) == "rank":
            return True
        if isinstance(node, ast.IfExp):  # `hvd.rank() if distributed else 0`
            return self._are_rank([node.body, node.orelse])
        name, values = self._values(node)
        if values and name not in self._ranks:
            self._ranks[name] = False
            self._ranks[name] = self._are_rank(values)
        return self._ranks.get(name, False)

    def _holds(self, test: ast.AST) -> Side | None:
        """Return on which ranks a condition holds, and on no others."""
        if self.is_rank(test):
            return Side.OTHERS
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            side = self._holds(test.operand)
            return side.opposite if side else None
        if isinstance(test, ast.Compare):
            return self._compared(test)
        name, values = self._values(test)
        if values and name not in self._sides:
            self._sides[name] = None
            sides = {self._holds(value) for value in values}
            self._sides[name] = sides.pop() if len(sides) == 1 else None
        return self._sides.get(name)

    def _compared(self, test: ast.Compare) -> Side | None:
        left, kind, right = compared(test)
        number, compare = integer(right), COMPARISONS.get(kind)
        if number is None or compare is None or len(test.ops) > 1 or not self.is_rank(left):
            return None
        first = compare(0, number)
        if any(compare(rank, number) is first for rank in (1, 2, number, number + 1) if rank > 0):
            return None
        return Side.FIRST if first else Side.OTHERS

    def _are_rank(self, values: Sequence[ast.AST]) -> bool:
        """Return whether values are the rank, or the 0 of a process that is alone."""
        asked = [value for value in values if integer(value) != 0]
        return bool(asked) and all(map(self.is_rank, asked))

    def _values(self, node: ast.AST) -> tuple[str, Sequence[ast.AST]]:
        """Return a key for an expression, and all its possible values; none if unknown."""
        if isinstance(node, (ast.Name, ast.Attribute)):
            return binding_key(node), self._script.values(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args:
            results = [_result(each) for each in self._script.values(node.func)]
            known = [each for each in results if each]
            return f"{node.func.id}()", known if len(known) == len(results) else ()
        return "", ()


def _result(node: ast.AST) -> ast.expr | None:
    """Return the value of a function with no statement but `return`."""
    if not runs_when_called(node):
        return None
    match node.body:
        case [ast.Return(value=value)] | [ast.Expr(value=ast.Constant()), ast.Return(value=value)]:
            return value
    return None
