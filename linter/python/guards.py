"""Which code of a Python script only some processes of a gang run."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.rank_names import MODEL_MAKERS, RankNames
from bai.linter.python.syntax_tree import (
    COMPARISONS,
    EXITS,
    FUNCTIONS,
    LEAVING,
    TRIES,
    all_arguments,
    assigned_names,
    calls_within,
    catches,
    compared,
    integer,
    is_call_of,
    is_none,
    last_name,
    positional_parameters,
)

_PASSES_ON = (ast.If, ast.With, ast.AsyncWith, *TRIES)
"""Statements that end where a statement within them does."""
_REMOVALS = frozenset({"pop", "remove", "clear"})


class Guards(RankNames):
    """The conditions of a script on the rank, and what they guard."""

    def __init__(self, script: HorovodNames, local: Collection[str] | None = None) -> None:
        """Learn from a script. Names that only some ranks set count as ranked, too."""
        super().__init__(script, local)
        self._about_rank = self._find_about_rank()
        """Ids of the nodes that mention the rank or the number of processes somewhere."""
        self._add_names_set_under_guards()
        for names, value in script.flows:
            if (
                isinstance(value, ast.Call)
                and last_name(value.func) in MODEL_MAKERS
                and self.mentions_rank(*all_arguments(value))
            ):
                self.ranked |= names
        self._about_rank = self._find_about_rank()
        ending = self._find_ending()
        self.any_leave = bool(ending)
        """Whether only some ranks go on after some statement."""
        self.left_behind = {each for end in ending for each in script.following(end)}
        """The statements after those after which only some ranks go on."""
        self._guarded_callers = set(self._find_guarded_callers())
        """Functions of the script that call a parameter of theirs, and mention the rank."""

    def mentions_rank(self, *nodes: ast.AST) -> bool:
        """Return whether some of these nodes mention the rank or the number of processes."""
        return any(id(node) in self._about_rank for node in nodes)

    def narrows(self, test: ast.expr, *, holds: bool = True, is_check: bool = False) -> bool:
        """Return whether only some ranks, or a process that is alone, may go on after a test.

        Args:
            test: the condition.
            holds: the outcome with which they go on.
            is_check: whether the others fail with an error, which is meant to happen on none.
        """
        if not self.mentions_rank(test):
            return False
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.narrows(test.operand, holds=not holds, is_check=is_check)
        if isinstance(test, ast.BoolOp):
            parts = [self.narrows(each, holds=holds, is_check=is_check) for each in test.values]
            # `if rank == 0 and bad: raise` lets all ranks go on that are not bad.
            one_is_enough = isinstance(test.op, ast.And) is not holds
            return all(parts) if is_check and one_is_enough else any(parts)
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return self._compared(test, holds=holds, is_check=is_check)
        if isinstance(test, ast.Call):
            return not is_check or last_name(test.func) != "isinstance"
        values = self._script.values(test)
        tests = [value for value in values if isinstance(value, ast.Compare)]
        if not tests or len(tests) < len(values):
            return True  # its name or other values are about the rank
        return any(
            not self.mentions_rank(each) or self.narrows(each, holds=holds, is_check=is_check)
            for each in tests
        )

    def _compared(self, test: ast.Compare, *, holds: bool, is_check: bool) -> bool:
        """Return whether a comparison narrows."""
        left, kind, right = compared(test)
        number, compare = integer(right), COMPARISONS.get(kind)
        if number is not None and compare and self.is_size(left):
            sizes = [size for size in (2, number, number + 1) if size > 1]
            return all(compare(size, number) is not holds for size in sizes)
        if not is_check:
            return True
        if number is not None and compare and self.is_rank(left):
            return not compare(0, number) is compare(1, number) is holds
        if kind in (ast.Eq, ast.NotEq):  # else it is with the rank of another library
            return [self._tells_rank(left), self._tells_rank(right)].count(True) == 1
        is_listed = kind in (ast.In, ast.NotIn) and not isinstance(right, ast.Call)
        return is_listed or (kind in (ast.Is, ast.IsNot) and not is_none(right))

    def _tells_rank(self, node: ast.AST) -> bool:
        return any(map(self.is_rank, ast.walk(node)))

    def guards_argument(self, function: ast.AST) -> bool:
        """Return whether a function calls what it is given on some ranks only.

        It may be a decorator, too, with arguments or without.
        """
        if isinstance(function, ast.Call):
            return self.mentions_rank(function) or self.guards_argument(function.func)
        return self.is_rank_name(function) or last_name(function) in self._guarded_callers

    def _find_about_rank(self) -> set[int]:
        return self._script.containing(
            node
            for node in self._script.nodes
            if self.is_rank(node) or self._script.asked(node) in ("size", "local_size")
        )

    def _add_names_set_under_guards(self) -> None:
        """Add the names that a condition on the rank sets: `if rank == 0: folder = ...`."""
        branches: list[ast.stmt] = []
        for condition in self._script.of(ast.If):
            for branch, holds in ((condition.body, True), (condition.orelse, False)):
                if branch and self.narrows(condition.test, holds=holds):
                    branches += branch
        guarded = self._script.within(branches)
        for node in self._script.of(ast.Assign):
            if id(node) in guarded:
                self.ranked |= assigned_names(node)
        for each in self._script.of(ast.Attribute):
            if id(each) in guarded and each.attr in _REMOVALS:
                self.ranked.add(last_name(each.value))

    def _find_guarded_callers(self) -> Iterator[str]:
        for function in self._script.of(ast.FunctionDef):
            given = set(positional_parameters(function))
            called = [call.func for call in calls_within([function])]
            calls_given = any(isinstance(each, ast.Name) and each.id in given for each in called)
            if calls_given and self.mentions_rank(function):
                yield function.name

    def _find_ending(self) -> list[ast.AST]:
        functions = self._script.of(*FUNCTIONS)
        exits = EXITS | {each.name for each in functions if is_call_of(each.body[-1], EXITS)}
        # Functions that end the process on some ranks.
        stops = {
            each.name
            for each in functions
            if any(
                is_call_of(final, exits) and self.narrows(test, holds=holds)
                for statement in each.body
                for test, holds, final in _ways_on(statement)
            )
        }
        ending: dict[ast.AST, str] = {}
        """A statement -> the error that ends it on other ranks; empty if they just leave."""
        for node in reversed(self._script.nodes):  # children first
            if isinstance(node, ast.Assert) and self.narrows(node.test, is_check=True):
                ending[node] = "AssertionError"
            elif is_call_of(node, stops):
                ending[node] = ""
            elif isinstance(node, _PASSES_ON):
                ends = [
                    ending[each]
                    for each in ast.iter_child_nodes(node)
                    if each in ending and not _catches(node, each, ending[each], exits)
                ]
                for test, holds, final in _ways_on(node):
                    error = _error(final)
                    leaves = error or isinstance(final, LEAVING) or is_call_of(final, exits)
                    if leaves and self.narrows(test, holds=holds, is_check=bool(error)):
                        ends.append(error)
                if ends:
                    ending[node] = min(ends)
        return list(ending)


def _ways_on(node: ast.AST) -> Iterator[tuple[ast.expr, bool, ast.stmt]]:
    """Yield the tests of a condition with the outcome for which each branch is not taken.

    The third is the last statement of the branch.
    """
    if isinstance(node, ast.If):
        yield node.test, False, node.body[-1]
        if node.orelse:
            yield node.test, True, node.orelse[-1]


def _error(statement: ast.stmt) -> str:
    """Return the name of the error that a statement raises, `?` if unknown.

    It is empty if there is none. SystemExit is no error.
    """
    if not isinstance(statement, ast.Raise):
        return ""
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    name = last_name(raised) if raised else "?"
    return "" if name == "SystemExit" else name


def _catches(node: ast.AST, statement: ast.AST, error: str, exits: Collection[str]) -> bool:
    """Return whether a node is a `try` that certainly goes on after an error of a statement."""
    if not error or not isinstance(node, TRIES) or statement not in node.body:
        return False
    caught = {error, "Exception", "BaseException"}
    return any(
        catches(handler, caught)
        and not isinstance(handler.body[-1], LEAVING)
        and not is_call_of(handler.body[-1], exits)
        for handler in node.handlers
    )
