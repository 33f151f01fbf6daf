"""What in a Python script is done by some processes of a gang only."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.rank_names import RankNames
from bai.linter.python.syntax_tree import assigned_names, keyword_values, last_name
from bai.linter.python.value_flows import Flow

_EXITS = frozenset({"exit", "_exit", "quit"})
_TAKES_AWAY = frozenset({"pop", "remove", "clear"})


class RankConditions:
    """Where a script speaks of the rank."""

    def __init__(
        self,
        nodes: Sequence[ast.AST],
        flows: Sequence[Flow],
        horovod: HorovodNames,
        keepers: Collection[str],
        local: Collection[str] | None = None,
    ) -> None:
        """Learn from all nodes of a tree, parents before their children, and its flows of values.

        What the calls in `keepers` make holds the rank if their arguments speak of it. `local` is
        as in `RankNames`.
        """
        self._nodes = nodes
        self._horovod = horovod
        self._names = RankNames(flows, horovod, local)
        self.ranked = self._names.ranked
        """Names that tell the rank, or that only some ranks set."""
        self._speaking = self._find_speaking()
        """Ids of the nodes within which the rank is spoken of."""
        self._set_by_some_ranks()
        self._made_with_rank(flows, keepers)
        self._speaking = self._find_speaking()
        self._ending = self._find_ending()
        """Ids of the statements after which only some ranks go on."""
        self._callers = set(self._find_callers())
        """Functions of the script that call what they are given, and speak of the rank."""

    def speaks(self, *nodes: ast.AST) -> bool:
        """Return whether the rank is spoken of in some of these nodes."""
        return any(id(node) in self._speaking for node in nodes)

    def tells_apart(self, node: ast.AST) -> bool:
        """Return whether what has this node in it, a path for one, differs between ranks."""
        return self._names.is_rank(node) and not self._names.is_part(node)

    def asks_if_alone(self, node: ast.AST) -> bool:
        """Return whether a node asks how many processes there are."""
        return self._horovod.asks_if_alone(node)

    def ends_others(self, statement: ast.stmt) -> bool:
        """Return whether only some ranks go on after a statement."""
        return id(statement) in self._ending

    def chooses(self, function: ast.AST) -> bool:
        """Return whether a function decides by the rank if it calls what it is given.

        It may be a decorator, too, with arguments or without.
        """
        if isinstance(function, ast.Call):
            return self.speaks(function) or self.chooses(function.func)
        return self._names.is_rankish(function) or last_name(function) in self._callers

    def _find_callers(self) -> Iterator[str]:
        for function in self._nodes:
            if not isinstance(function, ast.FunctionDef) or not self.speaks(function):
                continue
            arguments = function.args
            given = {each.arg for each in (*arguments.posonlyargs, *arguments.args)}
            if given and any(
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in given
                for node in ast.walk(function)
            ):
                yield function.name

    def _find_ending(self) -> set[int]:
        functions = [
            node
            for node in self._nodes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]
        exits = _EXITS | {each.name for each in functions if _is_call(each.body[-1], _EXITS)}
        # Functions that end the process, unless it is the one that is to go on.
        stops = {
            each.name
            for each in functions
            if any(
                isinstance(statement, ast.If)
                and self.speaks(statement.test)
                and any(_is_call(final, exits) for final in _finals(statement))
                for statement in each.body
            )
        }
        found: set[int] = set()
        for node in reversed(self._nodes):  # children first
            if isinstance(node, ast.Assert):
                ends = self.speaks(node.test)
            elif isinstance(node, ast.If) and self.speaks(node.test):
                ends = any(_leaves(final, exits) for final in _finals(node))
            else:
                ends = isinstance(node, ast.Expr) and _is_call(node, stops)
            if not ends and isinstance(node, (ast.If, ast.With, ast.Try)):
                ends = any(id(child) in found for child in ast.iter_child_nodes(node))
            if ends:
                found.add(id(node))
        return found

    def _set_by_some_ranks(self) -> None:
        """Take names for the rank's that a condition on it sets: `if rank == 0: folder = ...`."""
        under: set[int] = set()
        for node in self._nodes:
            inside = id(node) in under or (isinstance(node, ast.If) and self.speaks(node.test))
            if inside:
                under.update(id(child) for child in ast.iter_child_nodes(node))
                if isinstance(node, ast.Assign):
                    self.ranked.update(assigned_names(node.targets))
                elif isinstance(node, ast.Attribute) and node.attr in _TAKES_AWAY:
                    self.ranked.add(last_name(node.value))

    def _made_with_rank(self, flows: Sequence[Flow], keepers: Collection[str]) -> None:
        for names, value in flows:
            if (
                isinstance(value, ast.Call)
                and last_name(value.func) in keepers
                and self.speaks(*value.args, *keyword_values(value))
            ):
                self.ranked |= names

    def _find_speaking(self) -> set[int]:
        found: set[int] = set()
        for node in reversed(self._nodes):
            if (
                self._horovod.asks_if_alone(node)
                or self._names.is_rank(node)
                or any(id(child) in found for child in ast.iter_child_nodes(node))
            ):
                found.add(id(node))
        return found


def _finals(statement: ast.If) -> list[ast.stmt]:
    """Return the last statement of each branch."""
    return [branch[-1] for branch in (statement.body, statement.orelse) if branch]


def _leaves(statement: ast.stmt, exits: Collection[str]) -> bool:
    leaving = (ast.Return, ast.Raise, ast.Continue, ast.Break)
    return isinstance(statement, leaving) or _is_call(statement, exits)


def _is_call(statement: ast.stmt, names: Collection[str]) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and last_name(statement.value.func) in names
    )
