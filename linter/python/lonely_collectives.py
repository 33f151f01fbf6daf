"""Which exchanges of a Python script some ranks begin, while the others never come to them.

An exchange counts only where it is certain which ranks reach it. Where the others may have one of
their own to match it, nothing is found: under another condition on the rank, behind a branch that
leaves, with sets of processes, or with `hvd.join()`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from bai.linter.python.bindings import Bindings, key
from bai.linter.python.certain_names import CertainNames
from bai.linter.python.horovod_names import COLLECTIVES
from bai.linter.python.rank_conditions import RankConditions
from bai.linter.python.rank_tests import RankTests, Side
from bai.linter.python.results import Lonely
from bai.linter.python.syntax_tree import dotted_name, last_name

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_CONDITIONS = (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Match)
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
_YIELDS = (ast.Yield, ast.YieldFrom)
_EXITS = frozenset({"exit", "_exit", "quit", "abort"})
_PLAIN = frozenset({"print", "append", "format", "float", "int", "str", "debug", "info", "warning"})
"""Calls that exchange nothing."""
_MOST_CALLS = 8
"""Calls from one function to the next that are followed."""


def lonely_collectives(
    nodes: Sequence[ast.AST],
    bound: Bindings,
    horovod: CertainNames,
    ranks: RankConditions,
    tests: RankTests,
) -> tuple[Lonely, ...]:
    """Return the exchanges that only some ranks begin, by line.

    `nodes` are all nodes of the script, parents before their children.
    """
    finder = _Finder(nodes, bound, horovod, ranks)
    found: dict[Side, list[Lonely]] = {}
    for node in nodes:
        if isinstance(node, (ast.If, ast.IfExp)):
            branches = (_statements(node.body), _statements(node.orelse))
            for side, branch, other in zip(
                tests.sides(node.test), branches, reversed(branches), strict=True
            ):
                if side and not _leaves(branch) and finder.surely_exchanges_nothing(other):
                    found.setdefault(side, []).extend(finder.lonely(branch, side))
        left: set[Side] = set()
        for leaving, rest in _left_behind(node):
            side = tests.sides(leaving.test)[1]
            if side and side not in left and finder.surely_exchanges_nothing(leaving.body):
                left.add(side)  # what is left behind the next one is a part of the same
                found.setdefault(side, []).extend(finder.lonely(rest, side))
    if sum(map(bool, found.values())) != 1 or finder.others_may_match():
        return ()
    [lonely] = filter(None, found.values())
    return tuple(sorted(set(lonely)))


class _Finder:
    """Where a script exchanges."""

    def __init__(
        self,
        nodes: Sequence[ast.AST],
        bound: Bindings,
        horovod: CertainNames,
        ranks: RankConditions,
    ) -> None:
        self._nodes = nodes
        self._bound = bound
        self._horovod = horovod
        self._ranks = ranks
        self._lonely: set[int] = set()
        """Ids of the calls that were found to be lonely."""
        self._exchanges: dict[str, str | None] = {}
        """Name of a function -> what it surely exchanges by; None while it is looked at, too."""

    def lonely(self, branch: Iterable[ast.AST], side: Side) -> Iterator[Lonely]:
        """Yield what a branch exchanges, which only these ranks run."""
        for node in self._run(branch):
            if isinstance(node, ast.Call) and (exchange := self._exchange(node)):
                self._lonely.add(id(node))
                yield Lonely(node.lineno, dotted_name(node.func), exchange, side is Side.FIRST)

    def surely_exchanges_nothing(self, branch: Sequence[ast.AST]) -> bool:
        """Return whether statements call nothing that might exchange."""
        return all(
            last_name(node.func) in _PLAIN | _EXITS
            for statement in branch
            for node in ast.walk(statement)
            if isinstance(node, ast.Call)
        )

    def others_may_match(self) -> bool:
        """Return whether something else in the script may be meant for the ranks that are left."""
        reaching = self._reaching()
        under: set[int] = set()
        for node in self._nodes:
            if isinstance(node, (ast.Name, ast.Attribute, ast.keyword)) and _is_of_set(node):
                return True
            is_condition = isinstance(node, _CONDITIONS) and self._speaks(node)
            if is_condition or id(node) in under:
                under.update(map(id, ast.iter_child_nodes(node)))
            if not isinstance(node, ast.Call) or id(node) in self._lonely:
                continue
            name = last_name(node.func)
            if name == "join" and self._horovod.called(node):
                return True
            if id(node) in under and (name in COLLECTIVES or name in reaching):
                return True
        return False

    def _speaks(self, condition: ast.AST) -> bool:
        """Return whether a condition is about the rank, and not only about how many there are."""
        if isinstance(condition, ast.Match):
            test: ast.AST = condition.subject
        else:
            test = condition.test if hasattr(condition, "test") else condition
        return any(
            self._ranks.tells_apart(node)
            for node in ast.walk(test)
            if not isinstance(node, ast.Compare) and not self._is_size(node)
        )

    def _is_size(self, node: ast.AST) -> bool:
        values = self._bound.get(key(node), ())
        return bool(values) and all(self._horovod.called(value) == "size" for value in values)

    def _reaching(self) -> set[str]:
        """Return the names of the functions that may come to an exchange."""
        mentioned = {
            node.name: {
                last_name(each)
                for each in ast.walk(node)
                if isinstance(each, (ast.Name, ast.Attribute))
            }
            for node in self._nodes
            if isinstance(node, _DEFINITIONS)
        }
        found: set[str] = set()
        for _ in range(_MOST_CALLS):
            found |= {
                name
                for name, names in mentioned.items()
                if not names.isdisjoint(COLLECTIVES) or not names.isdisjoint(found)
            }
        return found

    def _run(self, branch: Iterable[ast.AST]) -> Iterator[ast.AST]:
        """Yield what runs with a branch, but for what stands under more conditions on ranks."""
        for node in branch:
            if isinstance(node, (*_DEFINITIONS, ast.Lambda)):
                continue
            if isinstance(node, _CONDITIONS) and self._ranks.speaks(node):
                continue
            yield node
            yield from self._run(ast.iter_child_nodes(node))

    def _exchange(self, node: ast.Call) -> str | None:
        """Return what a call exchanges by, if it surely exchanges."""
        if self._horovod.called(node) in COLLECTIVES or self._steps(node):
            return dotted_name(node.func)
        if not isinstance(node.func, ast.Name):
            return None
        name = node.func.id
        if name not in self._exchanges:
            self._exchanges[name] = None
            calls = _certain_calls(self._body(name))
            self._exchanges[name] = next(filter(None, map(self._exchange, calls)), None)
        return self._exchanges[name]

    def _body(self, name: str) -> Sequence[ast.stmt]:
        """Return what runs where a function of the script is called; nothing if it is unknown."""
        defined = self._bound.get(name, ())
        if len(defined) != 1 or not isinstance(function := defined[0], ast.FunctionDef):
            return ()
        makes_generator = any(isinstance(each, _YIELDS) for each in ast.walk(function))
        return () if function.decorator_list or makes_generator else function.body

    def _steps(self, node: ast.Call) -> bool:
        """Return whether a call is `optimizer.step()` of an optimizer that is surely Horovod's."""
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "step":
            return False
        name = key(node.func.value)
        values = self._bound.get(name, ())
        wrapped = [
            value for value in values if self._horovod.called(value) == "DistributedOptimizer"
        ]
        # `optimizer = SGD(...)`, and then `optimizer = hvd.DistributedOptimizer(optimizer)`
        again = [
            value
            for value in wrapped
            if isinstance(value, ast.Call) and value.args and key(value.args[0]) == name
        ]
        return bool(wrapped) and len(values) == len(wrapped) + len(again)


def _certain_calls(body: Iterable[ast.stmt]) -> Iterator[ast.Call]:
    """Yield the calls that statements surely make, up to the first that may leave them."""
    for statement in body:
        if isinstance(statement, ast.With):
            yield from _certain_calls(statement.body)
        elif isinstance(statement, _SIMPLE):
            inner = list(ast.walk(statement))
            if not any(isinstance(each, (*_CONDITIONS, ast.Lambda)) for each in inner):
                yield from (each for each in inner if isinstance(each, ast.Call))
        if any(isinstance(each, _LEAVING) for each in ast.walk(statement)):
            return


def _statements(branch: list[ast.stmt] | ast.expr) -> Sequence[ast.AST]:
    return branch if isinstance(branch, list) else [branch]


def _left_behind(node: ast.AST) -> Iterator[tuple[ast.If, Iterable[ast.AST]]]:
    """Yield the conditions in a node that send away who meets them, and what others go on with."""
    body = getattr(node, "body", None)
    if not isinstance(body, list):  # of an expression
        return
    for position, statement in enumerate(body):
        sends = isinstance(statement, ast.If) and not statement.orelse
        if sends and _goes_away(statement.body[-1]):
            yield statement, islice(body, position + 1, None)


def _goes_away(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return last_name(statement.value.func) in _EXITS
    return isinstance(statement, (ast.Return, ast.Continue))


def _leaves(branch: Sequence[ast.AST]) -> bool:
    """Return whether a branch may end what it stands in, so that the rest is for the others."""
    return any(
        isinstance(node, _LEAVING)
        or (isinstance(node, ast.Call) and last_name(node.func) in _EXITS)
        for statement in branch
        for node in ast.walk(statement)
    )


def _is_of_set(node: ast.Name | ast.Attribute | ast.keyword) -> bool:
    """Return whether a name speaks of sets of processes, which exchange among themselves."""
    name = node.arg or "" if isinstance(node, ast.keyword) else last_name(node)
    return "process_set" in name or "ProcessSet" in name
