"""Which collectives of a Python script some ranks call, while the others never come to them.

A collective counts only where it is certain which ranks reach it. Where the others may call a
matching one, nothing is found: under another condition on the rank, behind a branch that leaves,
with sets of processes, or with `hvd.join()`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from bai.linter.python.horovod_api import COLLECTIVES
from bai.linter.python.horovod_script import HorovodScript
from bai.linter.python.rank_tests import Side
from bai.linter.python.results import PartialCollective
from bai.linter.python.syntax_tree import (
    DEFINITIONS,
    EXITS,
    LEAVING,
    binding_key,
    called_names,
    calls_within,
    dotted_name,
    is_call_of,
    last_name,
    runs_when_called,
    statements,
)

_CONDITIONS = (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Match)
_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
_HARMLESS = EXITS | {"print", "append", "format", "float", "int", "str", "debug", "info", "warning"}
"""Calls that certainly come to no collective."""


def partial_collectives(script: HorovodScript) -> Iterator[PartialCollective]:
    """Yield the collectives that only some ranks call."""
    finder = _Finder(script)
    found: dict[Side, list[PartialCollective]] = {}
    for side, branch in _branches(script):
        found.setdefault(side, []).extend(finder.collectives(branch, side))
    match list(filter(None, found.values())):
        case [partial] if not finder.others_may_match():
            yield from partial


def _branches(script: HorovodScript) -> Iterator[tuple[Side, Sequence[ast.AST]]]:
    """Yield the code that only some ranks run, while the others certainly call no collective."""
    sides = script.tests.sides
    for node in script.of(ast.If, ast.IfExp):
        first, second = sides(node.test)
        body, orelse = statements(node.body), statements(node.orelse)
        for side, branch, other in ((first, body, orelse), (second, orelse, body)):
            if side and not _leaves(branch) and _is_harmless(other):
                yield side, branch
    for parent in script.nodes:
        left: set[Side] = set()
        block = getattr(parent, "body", ())
        if not isinstance(block, list):  # of an expression
            continue
        for position, statement in enumerate(block):
            if not isinstance(statement, ast.If) or statement.orelse:
                continue
            last = statement.body[-1]
            goes_away = isinstance(last, (ast.Return, ast.Continue)) or is_call_of(last, EXITS)
            rest = sides(statement.test)[1] if goes_away else None
            if rest and rest not in left and _is_harmless(statement.body):
                left.add(rest)  # the code after the next such condition is a part of the same
                yield rest, block[position + 1 :]


class _Finder:
    """The collectives of a script."""

    def __init__(self, script: HorovodScript) -> None:
        self._script = script
        self._partial: set[int] = set()
        """Ids of the calls that only some ranks make."""
        self._collectives: dict[str, str | None] = {}
        """Function -> the collective that it certainly calls; None also while it is resolved."""

    def collectives(self, branch: Iterable[ast.AST], side: Side) -> Iterator[PartialCollective]:
        """Yield the collectives in a branch that only these ranks run."""
        for node in self._run(branch):
            if isinstance(node, ast.Call) and (collective := self._collective(node)):
                self._partial.add(id(node))
                call = dotted_name(node.func)
                yield PartialCollective(node.lineno, call, collective, side is Side.FIRST)

    def others_may_match(self) -> bool:
        """Return whether another call in the script may be meant for the remaining ranks."""
        script = self._script
        mentions = script.of(ast.Name, ast.Attribute)
        names = [*map(last_name, mentions), *(each.arg or "" for each in script.of(ast.keyword))]
        if any("process_set" in name or "ProcessSet" in name for name in names):
            return True  # sets of processes have collectives of their own
        calls = [call for call in script.of(ast.Call) if id(call) not in self._partial]
        if any(self._script.called(call) == "join" for call in calls):
            return True
        leading = script.leading_to(node for node in mentions if last_name(node) in COLLECTIVES)
        definitions = script.of(*DEFINITIONS)
        reaching = COLLECTIVES | {node.name for node in definitions if id(node) in leading}
        conditions = (node for node in script.nodes if isinstance(node, _CONDITIONS))
        conditional = script.within(filter(self._on_rank, conditions))
        return any(last_name(call.func) in reaching and id(call) in conditional for call in calls)

    def _on_rank(self, condition: ast.AST) -> bool:
        """Return whether a condition is on the rank, and not only on the number of processes."""
        test = getattr(condition, "test", getattr(condition, "subject", condition))
        return any(
            self._script.guards.differs(node)
            for node in ast.walk(test)
            if not isinstance(node, ast.Compare) and not self._is_size(node)
        )

    def _is_size(self, node: ast.AST) -> bool:
        values = self._script.values(node)
        return bool(values) and all(self._script.called(value) == "size" for value in values)

    def _run(self, branch: Iterable[ast.AST]) -> Iterator[ast.AST]:
        """Yield the nodes that run with a branch, without those under more conditions on ranks."""
        for node in branch:
            if isinstance(node, (*DEFINITIONS, ast.Lambda)):
                continue
            if isinstance(node, _CONDITIONS) and self._script.guards.mentions_rank(node):
                continue
            yield node
            yield from self._run(ast.iter_child_nodes(node))

    def _collective(self, node: ast.Call) -> str | None:
        """Return the collective that a call certainly comes to."""
        if self._script.called(node) in COLLECTIVES or self._is_step(node):
            return dotted_name(node.func)
        if not isinstance(node.func, ast.Name):
            return None
        name = node.func.id
        if name not in self._collectives:
            self._collectives[name] = None
            match self._script.values(node.func):
                case [function] if runs_when_called(function):
                    calls = _certain_calls(function.body)
                    self._collectives[name] = next(filter(None, map(self._collective, calls)), None)
        return self._collectives[name]

    def _is_step(self, node: ast.Call) -> bool:
        """Return whether a call is `optimizer.step()` of an optimizer that is Horovod's."""
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "step":
            return False
        name = binding_key(node.func.value)
        values = self._script.values(node.func.value)
        calls = [value for value in values if isinstance(value, ast.Call)]
        wrapped = [call for call in calls if self._script.called(call) == "DistributedOptimizer"]
        # `optimizer = SGD(...)`, and then `optimizer = hvd.DistributedOptimizer(optimizer)`
        again = [call for call in wrapped if call.args and binding_key(call.args[0]) == name]
        return bool(wrapped) and len(values) == len(wrapped) + len(again)


def _certain_calls(body: Iterable[ast.stmt]) -> Iterator[ast.Call]:
    """Yield the calls that statements certainly make, up to the first that may leave them."""
    for statement in body:
        if isinstance(statement, ast.With):
            yield from _certain_calls(statement.body)
        elif isinstance(statement, _SIMPLE):
            inner = ast.walk(statement)
            if not any(isinstance(each, (*_CONDITIONS, ast.Lambda)) for each in inner):
                yield from calls_within([statement])
        if any(isinstance(each, LEAVING) for each in ast.walk(statement)):
            return


def _is_harmless(branch: Sequence[ast.AST]) -> bool:
    """Return whether code certainly comes to no collective."""
    return called_names(branch) <= _HARMLESS


def _leaves(branch: Sequence[ast.AST]) -> bool:
    """Return whether a branch may end the code around it, so that the rest is for the others."""
    inner = [node for part in branch for node in ast.walk(part)]
    return any(isinstance(node, LEAVING) for node in inner) or bool(EXITS & called_names(branch))
