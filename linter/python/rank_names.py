"""Which names and values in a Python script identify the rank of the process.

Names are not followed through scopes: one that holds the rank anywhere holds it everywhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from functools import lru_cache

from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.syntax_tree import all_arguments, last_name, text_of
from bai.linter.python.value_flows import spread

_RANK_NAME = re.compile(
    r"(?:.*_)?(?:local_|global_|world_|node_)?rank(?:_?(?:0|zero|id|is_0))?(?:_only)?"
    r"|(?:.*_)?(?:is|only|on|if)_?(?:the_)?(?:chief|main|master|root|primary|leader|coordinator|first"
    r"|global_zero|rank_?0|rank_?zero).*|(?:chief|master|primary|root|leader)(?:_only|_rank)?"
    r"|(?:.*_)?(?:get)?host_?name|(?:.*_)?(?:node_?(?:id|index|name)|(?:task|process)_?(?:id|index))",
    re.IGNORECASE,
)
"""Names that by themselves say that they are about the rank, or the node."""
_is_rank_name = lru_cache(maxsize=4096)(_RANK_NAME.fullmatch)
_RANK_KEY = re.compile(r"(?i)(?:.*_)?rank|is_(?:main|master|chief|primary|leader).*")
"""The same for keys of mappings."""
_RANK_CALLS = frozenset({"rank", "local_rank", "cross_rank", "get_rank"})
_VARIABLES = ("RANK", "PROCID", "TASK_INDEX", "NODE_ID", "NODEID", "HOSTNAME")
"""Endings of environment variables that differ between processes."""
_CONVERSIONS = frozenset(
    {"bool", "int", "str", "format", "join", "Path", "not_", "eq", "int32", "get", "getenv"}
)
"""Calls whose result depends on the rank if their arguments do."""
MODEL_MAKERS = frozenset(
    {"Model", "Sequential", "Saver", "Checkpoint", "CheckpointManager", "load_model"}
)
"""Calls that return a model, or what saves one."""
_ALIKE = frozenset({"model", "net", "module", "optimizer", "loss"})
"""Attributes that are the same on all ranks, also those of objects that know their rank."""


class RankNames:
    """The names and values that identify the rank."""

    def __init__(self, script: HorovodNames, local: Collection[str] | None = None) -> None:
        """Learn from a script's flows of values.

        With `local`, the names in it and Horovod's local_rank() don't count as the rank: they
        identify the process on its node, and not the node.
        """
        self._script = script
        self._local = local
        self.ranked: set[str] = set()
        """Names whose value depends on the rank."""
        self._holders: set[str] = set()
        """Names of mappings, lists and objects with parts that depend on the rank."""
        self._sizes: set[str] = set()
        """Names of the number of processes."""
        holders, sizes = (self._holders, self._holds), (self._sizes, self.is_size)
        spread(script.flows, (self.ranked, self._tells), holders, sizes)

    def is_rank(self, node: ast.AST) -> bool:
        """Return whether a node itself, apart from its parts, depends on the rank."""
        if isinstance(node, ast.Call):
            return self._asks_rank(node)
        if isinstance(node, ast.Name):
            return self.is_rank_name(node)
        if isinstance(node, ast.Attribute):
            return self.is_rank_name(node) or self._is_part(node)
        if isinstance(node, ast.Subscript):
            is_key = _RANK_KEY.fullmatch(text_of(node.slice)) is not None
            return is_key or last_name(node.value) in self._holders
        if isinstance(node, ast.Compare):
            return any(map(self.is_size, (node.left, *node.comparators)))
        return text_of(node).endswith(_VARIABLES)

    def differs(self, node: ast.AST) -> bool:
        """Return whether an expression that contains this node, like a path, differs by rank."""
        return self.is_rank(node) and not self._is_part(node)

    def _is_part(self, node: ast.AST) -> bool:
        """Return whether a node is an attribute of an object that knows the rank."""
        return (
            isinstance(node, ast.Attribute)
            and last_name(node.value) in self._holders
            and node.attr not in _ALIKE
            and not self.is_rank_name(node)
        )

    def is_rank_name(self, node: ast.AST) -> bool:
        """Return whether a name or an attribute depends on the rank, by its name or its values."""
        name = last_name(node)
        if name in self.ranked:
            return True
        if self._local is not None and (
            name in self._local or self._script.possible(node) == "local_rank"
        ):
            return False
        return _is_rank_name(name) is not None

    def is_size(self, value: ast.AST) -> bool:
        """Return whether a value is the number of processes."""
        if isinstance(value, ast.IfExp):
            return self.is_size(value.body) or self.is_size(value.orelse)
        if isinstance(value, (ast.Name, ast.Attribute)):
            return last_name(value) in self._sizes
        return self._script.asked(value) in ("size", "local_size")

    def _tells(self, value: ast.AST) -> bool:
        """Return whether a value identifies the process, and was not merely made with its rank."""
        if isinstance(value, ast.Call):
            if self._asks_rank(value) or self.is_rank_name(value.func):
                return True
            if last_name(value.func) not in _CONVERSIONS:
                return False
        elif isinstance(value, (ast.Name, ast.Attribute, ast.Constant)):
            return self.is_rank(value)
        elif isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Lambda)):
            return False
        return self.is_rank(value) or any(map(self._tells, ast.iter_child_nodes(value)))

    def _holds(self, value: ast.AST) -> bool:
        """Return whether a value has parts, one of which depends on the rank."""
        if isinstance(value, ast.Dict):
            return any(map(self._tells, value.values))
        if isinstance(value, (ast.List, ast.Set)):
            return any(map(self._tells, value.elts))
        if isinstance(value, ast.Call):
            name = last_name(value.func)
            if isinstance(value.func, ast.Name) and name in self._holders:
                return True  # a function that returns such a value
            makes = name == "dict" or name[:1].isupper()
            return makes and any(map(self._tells, all_arguments(value)))
        return isinstance(value, ast.Name) and value.id in self._holders

    def _asks_rank(self, node: ast.Call) -> bool:
        if self._local is not None and self._script.asked(node) == "local_rank":
            return False
        return last_name(node.func) in _RANK_CALLS


def local_names(script: HorovodNames) -> set[str]:
    """Return the names that get the value of hvd.local_rank(), and at most constants besides."""
    found: set[str] = set()

    def is_local(value: ast.AST) -> bool:
        return any(
            script.asked(node) == "local_rank"
            or (isinstance(node, (ast.Name, ast.Attribute)) and last_name(node) in found)
            for node in ast.walk(value)
        )

    spread(script.flows, (found, is_local))
    for names, value in script.flows:
        if not isinstance(value, ast.Constant) and not is_local(value):
            found -= names
    return found
