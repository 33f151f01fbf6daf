"""Which names and values in a Python script tell which process of a gang runs it.

Names are not followed through scopes: one that holds the rank anywhere holds it everywhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence

from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.syntax_tree import keyword_values, last_name
from bai.linter.python.value_flows import Flow

_RANKISH = re.compile(
    r"(?:.*_)?(?:local_|global_|world_|node_)?rank(?:_?(?:0|zero|id|is_0))?(?:_only)?"
    r"|(?:.*_)?(?:is|only|on|if)_?(?:the_)?(?:chief|main|master|root|primary|leader|coordinator|first"
    r"|global_zero|rank_?0|rank_?zero).*|(?:chief|master|primary|root|leader)(?:_only|_rank)?"
    r"|(?:.*_)?(?:get)?host_?name|(?:.*_)?(?:node_?(?:id|index|name)|(?:task|process)_?(?:id|index))",
    re.IGNORECASE,
)
"""Names that speak by themselves of the rank, or of the node."""
_RANKISH_KEY = re.compile(r"(?i)(?:.*_)?rank|is_(?:main|master|chief|primary|leader).*")
"""The same for keys of mappings."""
_VARIABLES = ("RANK", "PROCID", "TASK_INDEX", "NODE_ID", "NODEID", "HOSTNAME")
"""How environment variables end that tell processes apart."""
_PASSES_ON = frozenset(
    {"bool", "int", "str", "format", "join", "Path", "not_", "eq", "int32", "get", "getenv"}
)
"""Calls whose result tells the rank if their arguments do."""
_THINGS = frozenset({"model", "net", "module", "optimizer", "loss"})
"""Parts of objects that are the same on all ranks, also if the objects know their rank."""


class RankNames:
    """The names and values that tell the rank."""

    def __init__(
        self,
        flows: Sequence[Flow],
        horovod: HorovodNames,
        local: Collection[str] | None = None,
    ) -> None:
        """Learn from a script's flows of values.

        With `local`, the names in it and Horovod's local_rank() don't count as the rank: they tell
        apart the processes of a node, and not the nodes.
        """
        self._horovod = horovod
        self._local = local
        self.ranked: set[str] = set()
        """Names that tell the rank."""
        self._holders: set[str] = set()
        """Names of mappings, lists and objects that something in tells the rank."""
        self._sizes: set[str] = set()
        """Names of the number of processes."""
        for _ in range(8):  # names that pass the rank on in longer chains are not followed
            before = len(self.ranked) + len(self._holders) + len(self._sizes)
            for names, value in flows:
                self._learn(names, value)
            if len(self.ranked) + len(self._holders) + len(self._sizes) == before:
                break

    def _learn(self, names: set[str], value: ast.expr) -> None:
        if not names <= self.ranked and self._tells(value):
            self.ranked |= names
        if not names <= self._holders and self._holds(value):
            self._holders |= names
        if not names <= self._sizes and self._is_size(value):
            self._sizes |= names

    def is_rank(self, node: ast.AST) -> bool:
        """Return whether a node itself, whatever is in it, is one that tells the rank."""
        if isinstance(node, ast.Call):
            return self._asks_who(node)
        if isinstance(node, ast.Name):
            return self.is_rankish(node)
        if isinstance(node, ast.Attribute):
            return self.is_rankish(node) or self.is_part(node)
        if isinstance(node, ast.Subscript):
            key = node.slice.value if isinstance(node.slice, ast.Constant) else None
            return last_name(node.value) in self._holders or (
                isinstance(key, str) and _RANKISH_KEY.fullmatch(key) is not None
            )
        if isinstance(node, ast.Compare):
            return any(map(self._is_size, (node.left, *node.comparators)))
        return isinstance(node, ast.Constant) and str(node.value).endswith(_VARIABLES)

    def is_part(self, node: ast.AST) -> bool:
        """Return whether a node is an attribute of something that knows the rank."""
        return (
            isinstance(node, ast.Attribute)
            and last_name(node.value) in self._holders
            and node.attr not in _THINGS
            and not self.is_rankish(node)
        )

    def is_rankish(self, node: ast.AST) -> bool:
        """Return whether the name of a name or an attribute tells the rank."""
        name = last_name(node)
        if name in self.ranked:
            return True
        if self._local is not None and (name in self._local or self._horovod.is_local_rank(node)):
            return False
        return _RANKISH.fullmatch(name) is not None

    def _tells(self, value: ast.AST) -> bool:
        """Return whether a value says who this process is (and was not merely made with it)."""
        if isinstance(value, ast.Call):
            if self._asks_who(value) or self.is_rankish(value.func):
                return True
            if last_name(value.func) not in _PASSES_ON:
                return False
        elif isinstance(value, (ast.Name, ast.Attribute, ast.Constant)):
            return self.is_rank(value)
        elif isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Lambda)):
            return False
        return self.is_rank(value) or any(map(self._tells, ast.iter_child_nodes(value)))

    def _holds(self, value: ast.AST) -> bool:
        """Return whether a value is something with parts, one of which tells the rank."""
        if isinstance(value, ast.Dict):
            return any(map(self._tells, value.values))
        if isinstance(value, (ast.List, ast.Set)):
            return any(map(self._tells, value.elts))
        if isinstance(value, ast.Call):
            name = last_name(value.func)
            if isinstance(value.func, ast.Name) and name in self._holders:
                return True  # a function that returns such a thing
            makes = name == "dict" or name[:1].isupper()
            return makes and any(map(self._tells, (*value.args, *keyword_values(value))))
        return isinstance(value, ast.Name) and value.id in self._holders

    def _is_size(self, value: ast.AST) -> bool:
        if isinstance(value, ast.IfExp):
            return self._is_size(value.body) or self._is_size(value.orelse)
        if isinstance(value, (ast.Name, ast.Attribute)):
            return last_name(value) in self._sizes
        return self._horovod.asks_if_alone(value)

    def _asks_who(self, node: ast.AST) -> bool:
        if self._local is not None and self._horovod.asks_local_rank(node):
            return False
        return self._horovod.asks_who(node)


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
