"""What in a Python script depends on which process of a gang runs it.

Names are not followed through scopes: one that holds the rank anywhere holds it everywhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence

from bai.compiler.analysis.horovod_names import HorovodNames
from bai.compiler.analysis.syntax_tree import Flow, assigned_names, keyword_values, last_name

_RANKISH = re.compile(
    r"(?:.*_)?(?:local_|global_|world_|node_)?rank(?:_?(?:0|zero|id|is_0))?(?:_only)?"
    r"|(?:.*_)?(?:is|only|on|if)_?(?:the_)?(?:chief|main|master|root|primary|leader|coordinator|first"
    r"|rank_?0|rank_?zero).*|(?:chief|master|primary|root|leader)(?:_only|_rank)?",
    re.IGNORECASE,
)
"""Names that speak of the rank by themselves."""

_PASSES_ON = frozenset({"bool", "int", "str", "format", "join", "Path", "not_", "eq", "int32"})
"""Calls whose result tells the rank if their arguments do."""

_EXITS = frozenset({"exit", "_exit", "quit"})


class RankConditions:
    """Where a script speaks of the rank."""

    def __init__(
        self,
        nodes: Sequence[ast.AST],
        flows: Sequence[Flow],
        horovod: HorovodNames,
        keepers: Collection[str],
    ) -> None:
        """Learn from all nodes of a tree, parents before their children, and its flows of values.

        What the calls in `keepers` make holds the rank if their arguments speak of it.
        """
        self._nodes = nodes
        self._horovod = horovod
        self.ranked: set[str] = set()
        """Names that tell the rank, or that only some ranks set."""
        self._follow(flows)
        self._speaking = self._find_speaking()
        """Ids of the nodes within which the rank is spoken of."""
        self._set_by_some_ranks()
        self._made_with_rank(flows, keepers)
        self._speaking = self._find_speaking()

    def speaks(self, *nodes: ast.AST) -> bool:
        """Return whether the rank is spoken of in some of these nodes."""
        return any(id(node) in self._speaking for node in nodes)

    def ends_others(self, statement: ast.stmt) -> bool:
        """Return whether only some ranks go on after a statement."""
        if isinstance(statement, ast.Assert):
            return self.speaks(statement.test)
        if not isinstance(statement, ast.If) or not self.speaks(statement.test):
            return False
        finals = [branch[-1] for branch in (statement.body, statement.orelse) if branch]
        return any(
            isinstance(final, (ast.Return, ast.Raise, ast.Continue, ast.Break))
            or (
                isinstance(final, ast.Expr)
                and isinstance(final.value, ast.Call)
                and last_name(final.value.func) in _EXITS
            )
            for final in finals
        )

    def _follow(self, flows: Sequence[Flow]) -> None:
        """Take the names that get the rank."""
        for _ in range(8):  # names that pass the rank on in longer chains are not followed
            before = len(self.ranked)
            for names, value in flows:
                if not names <= self.ranked and self._tells_rank(value):
                    self.ranked |= names
            if len(self.ranked) == before:
                break

    def _set_by_some_ranks(self) -> None:
        """Take names for the rank's that a condition on it sets: `if rank == 0: folder = ...`."""
        under: set[int] = set()
        for node in self._nodes:
            inside = id(node) in under or (isinstance(node, ast.If) and self.speaks(node.test))
            if inside:
                under.update(id(child) for child in ast.iter_child_nodes(node))
                if isinstance(node, ast.Assign):
                    self.ranked.update(assigned_names(node.targets))

    def _made_with_rank(self, flows: Sequence[Flow], keepers: Collection[str]) -> None:
        for names, value in flows:
            if (
                isinstance(value, ast.Call)
                and last_name(value.func) in keepers
                and self.speaks(*value.args, *keyword_values(value))
            ):
                self.ranked |= names

    def _tells_rank(self, value: ast.AST) -> bool:
        """Return whether a value says who this process is (and was not merely made with it)."""
        if isinstance(value, ast.Call):
            if self._horovod.asks_who(value) or last_name(value.func) in self.ranked:
                return True
            if last_name(value.func) not in _PASSES_ON:
                return False
        elif isinstance(value, (ast.Name, ast.Attribute)):
            return self._is_rankish(value)
        elif isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Lambda)):
            return False
        return any(self._tells_rank(child) for child in ast.iter_child_nodes(value))

    def _is_rankish(self, node: ast.Name | ast.Attribute) -> bool:
        name = last_name(node)
        return name in self.ranked or bool(_RANKISH.fullmatch(name))

    def _find_speaking(self) -> set[int]:
        found: set[int] = set()
        for node in reversed(self._nodes):
            if (
                self._horovod.asks_if_alone(node)
                or (isinstance(node, (ast.Name, ast.Attribute)) and self._is_rankish(node))
                or (isinstance(node, ast.Constant) and str(node.value)[-4:] == "RANK")
                or any(id(child) in found for child in ast.iter_child_nodes(node))
            ):
                found.add(id(node))
        return found
