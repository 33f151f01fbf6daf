"""Which code of a Python script only some processes of a gang run."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.rank_names import RankNames
from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import (
    FUNCTIONS,
    all_arguments,
    assigned_names,
    is_call_of,
    last_name,
)
from bai.linter.python.value_flows import Flow
from bai.linter.python.write_calls import MODEL_MAKERS

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_REMOVALS = frozenset({"pop", "remove", "clear"})


class Guards:
    """The conditions of a script on the rank, and what they guard."""

    def __init__(
        self,
        model: ScriptModel,
        flows: Sequence[Flow],
        horovod: HorovodNames,
        local: Collection[str] | None = None,
    ) -> None:
        """Learn from a script and its flows of values. `local` is as in `RankNames`."""
        self._model = model
        self._horovod = horovod
        self._names = RankNames(flows, horovod, local)
        self.ranked = self._names.ranked
        """Names whose value depends on the rank, or that only some ranks set."""
        self._about_rank = self._find_about_rank()
        """Ids of the nodes that mention the rank or the number of processes somewhere."""
        self._add_names_set_under_guards()
        for names, value in flows:
            if (
                isinstance(value, ast.Call)
                and last_name(value.func) in MODEL_MAKERS
                and self.mentions_rank(*all_arguments(value))
            ):
                self.ranked |= names
        self._about_rank = self._find_about_rank()
        self._ending = self._find_ending()
        """Ids of the statements after which only some ranks go on."""
        self._guarded_callers = set(self._find_guarded_callers())
        """Functions of the script that call a parameter of theirs, and mention the rank."""

    def mentions_rank(self, *nodes: ast.AST) -> bool:
        """Return whether some of these nodes mention the rank or the number of processes."""
        return any(id(node) in self._about_rank for node in nodes)

    def differs(self, node: ast.AST) -> bool:
        """Return whether an expression that contains this node, like a path, differs by rank."""
        return self._names.is_rank(node) and not self._names.is_part(node)

    def asks_size(self, node: ast.AST) -> bool:
        """Return whether a node asks for the number of processes."""
        return self._horovod.asks_size(node)

    def ends_others(self, statement: ast.stmt) -> bool:
        """Return whether only some ranks go on after a statement."""
        return id(statement) in self._ending

    @property
    def end_others(self) -> bool:
        """Whether only some ranks go on after some statement."""
        return bool(self._ending)

    def guards_argument(self, function: ast.AST) -> bool:
        """Return whether a function calls what it is given on some ranks only.

        It may be a decorator, too, with arguments or without.
        """
        if isinstance(function, ast.Call):
            return self.mentions_rank(function) or self.guards_argument(function.func)
        return self._names.is_rank_name(function) or last_name(function) in self._guarded_callers

    def _find_about_rank(self) -> set[int]:
        return self._model.containing(
            node
            for node in self._model.nodes
            if self._names.is_rank(node) or self._horovod.asks_size(node)
        )

    def _add_names_set_under_guards(self) -> None:
        """Add the names that a condition on the rank sets: `if rank == 0: folder = ...`."""
        conditions = [node for node in self._model.of(ast.If) if self.mentions_rank(node.test)]
        guarded = self._model.below(conditions)
        for node in self._model.of(ast.Assign):
            if id(node) in guarded:
                self.ranked.update(assigned_names(node.targets))
        for each in self._model.of(ast.Attribute):
            if id(each) in guarded and each.attr in _REMOVALS:
                self.ranked.add(last_name(each.value))

    def _find_guarded_callers(self) -> Iterator[str]:
        for function in self._model.of(ast.FunctionDef):
            arguments = function.args
            given = {each.arg for each in (*arguments.posonlyargs, *arguments.args)}
            if self.mentions_rank(function) and any(
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in given
                for node in ast.walk(function)
            ):
                yield function.name

    def _find_ending(self) -> set[int]:
        functions = self._model.of(*FUNCTIONS)
        exits = {"exit", "_exit", "quit"} | {
            each.name for each in functions if is_call_of(each.body[-1], {"exit", "_exit", "quit"})
        }
        # Functions that end the process on some ranks.
        stops = {
            each.name
            for each in functions
            if any(
                isinstance(statement, ast.If)
                and self.mentions_rank(statement.test)
                and any(is_call_of(final, exits) for final in _finals(statement))
                for statement in each.body
            )
        }
        found: set[int] = set()
        for node in reversed(self._model.nodes):  # children first
            if isinstance(node, ast.Assert):
                ends = self.mentions_rank(node.test)
            elif isinstance(node, ast.If) and self.mentions_rank(node.test):
                ends = any(
                    isinstance(final, _LEAVING) or is_call_of(final, exits)
                    for final in _finals(node)
                )
            else:
                ends = is_call_of(node, stops)
            if not ends and isinstance(node, (ast.If, ast.With, ast.Try)):
                ends = any(id(child) in found for child in ast.iter_child_nodes(node))
            if ends:
                found.add(id(node))
        return found


def _finals(statement: ast.If) -> list[ast.stmt]:
    """Return the last statement of each branch."""
    return [branch[-1] for branch in (statement.body, statement.orelse) if branch]
