"""What in a Python script depends on which process of a gang runs it.

Names are not followed through scopes: one that holds the rank anywhere holds it everywhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from bai.compiler.analysis.horovod_names import HorovodNames
from bai.compiler.analysis.syntax_tree import Flow, assigned_names, keyword_values, last_name

_RANKISH = re.compile(
    r"(?:.*_)?(?:local_|global_|world_|node_)?rank(?:_?(?:0|zero|id|is_0))?(?:_only)?"
    r"|(?:.*_)?(?:is|only|on|if)_?(?:the_)?(?:chief|main|master|root|primary|leader|coordinator|first"
    r"|global_zero|rank_?0|rank_?zero).*|(?:chief|master|primary|root|leader)(?:_only|_rank)?"
    r"|(?:.*_)?(?:get)?host_?name|(?:.*_)?(?:node_?(?:id|index|name)|(?:task|process)_?(?:id|index))",
    re.IGNORECASE,
)
"""Names that speak by themselves of the rank, or of the node."""

_VARIABLES = ("RANK", "PROCID", "TASK_INDEX", "NODE_ID", "NODEID", "HOSTNAME")
"""How environment variables end that tell processes apart."""

_PASSES_ON = frozenset(
    {"bool", "int", "str", "format", "join", "Path", "not_", "eq", "int32", "get", "getenv"}
)
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
        local: Collection[str] | None = None,
    ) -> None:
        """Learn from all nodes of a tree, parents before their children, and its flows of values.

        What the calls in `keepers` make holds the rank if their arguments speak of it.

        With `local`, the names in it and Horovod's local_rank() don't count as the rank: they tell
        apart the processes of a node, and not the nodes.
        """
        self._nodes = nodes
        self._horovod = horovod
        self._local = local
        self.ranked: set[str] = set()
        """Names that tell the rank, or that only some ranks set."""
        self._follow(flows)
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

    def is_rank(self, node: ast.AST) -> bool:
        """Return whether a node itself, whatever is in it, is one that tells the rank."""
        if isinstance(node, ast.Call):
            return self._asks_who(node)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._is_rankish(node)
        return isinstance(node, ast.Constant) and str(node.value).endswith(_VARIABLES)

    def ends_others(self, statement: ast.stmt) -> bool:
        """Return whether only some ranks go on after a statement."""
        return id(statement) in self._ending

    def chooses(self, function: ast.AST) -> bool:
        """Return whether a function decides by the rank if it calls what it is given.

        It may be a decorator, too, with arguments or without.
        """
        if isinstance(function, ast.Call):
            return self.speaks(function) or self.chooses(function.func)
        return self.is_rank(function) or last_name(function) in self._callers

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
            if self._asks_who(value) or self._is_rankish(value.func):
                return True
            if last_name(value.func) not in _PASSES_ON:
                return False
        elif isinstance(value, (ast.Name, ast.Attribute, ast.Constant)):
            return self.is_rank(value)
        elif isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Lambda)):
            return False
        return any(self._tells_rank(child) for child in ast.iter_child_nodes(value))

    def _asks_who(self, node: ast.AST) -> bool:
        if self._local is not None and self._horovod.asks_local_rank(node):
            return False
        return self._horovod.asks_who(node)

    def _is_rankish(self, node: ast.AST) -> bool:
        name = last_name(node)
        if name in self.ranked:
            return True
        if self._local is not None and (name in self._local or self._horovod.is_local_rank(node)):
            return False
        return bool(_RANKISH.fullmatch(name))

    def _find_speaking(self) -> set[int]:
        found: set[int] = set()
        for node in reversed(self._nodes):
            if (
                self._horovod.asks_if_alone(node)
                or self.is_rank(node)
                or any(id(child) in found for child in ast.iter_child_nodes(node))
            ):
                found.add(id(node))
        return found


def local_names(flows: Sequence[Flow], horovod: HorovodNames) -> set[str]:
    """Return the names that get what hvd.local_rank() tells, and at most constants besides."""
    found: set[str] = set()

    def is_local(value: ast.AST) -> bool:
        return any(
            horovod.asks_local_rank(node)
            or (isinstance(node, (ast.Name, ast.Attribute)) and last_name(node) in found)
            for node in ast.walk(value)
        )

    for _ in range(8):
        before = len(found)
        for names, value in flows:
            if not names <= found and is_local(value):
                found |= names
        if len(found) == before:
            break
    for names, value in flows:
        if not isinstance(value, ast.Constant) and not is_local(value):
            found -= names
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
