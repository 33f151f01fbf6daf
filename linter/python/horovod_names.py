"""What Horovod is called in a Python script, and what the script asks of it."""

from __future__ import annotations

import ast
import re

from bai.linter.python.syntax_tree import dotted_name, last_name

FRAMEWORKS = ("torch", "tensorflow", "keras", "mxnet")
"""Parts of Horovod whose users call init. horovod.spark, .ray and .runner do it themselves."""

COLLECTIVES = frozenset(
    f"{group}{name}{ending}"
    for group in ("", "grouped_")
    for name in ("allreduce", "allgather", "broadcast", "alltoall", "reducescatter")
    for ending in ("", "_", "_async", "_async_")
) | {
    *("allgather_object", "barrier", "broadcast_global_variables", "broadcast_object"),
    *("broadcast_optimizer_state", "broadcast_parameters", "broadcast_variables", "join"),
}
"""Functions of Horovod that need all ranks to call them."""
_ASKS_WHO = frozenset({"rank", "local_rank", "cross_rank", "get_rank"})


class HorovodNames:
    """What a script calls Horovod, and the names it took from it."""

    def __init__(self, tree: ast.Module) -> None:
        self.line: int | None = None
        self.modules = {"hvd", "horovod"}
        self.inits: set[str] = set()
        self.functions: dict[str, str] = {}
        """What the script calls a function of Horovod -> what Horovod calls it."""
        self.foreign: set[str] = set()
        """Names imported from anywhere else, which may wrap Horovod."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for name in node.names:
                    self._import(node, name.name, name.asname or name.name)
            elif isinstance(node, ast.ImportFrom):
                for name in node.names:
                    self._import_from(node, name.name, name.asname or name.name)

    def _import(self, node: ast.stmt, module: str, alias: str) -> None:
        if not module.startswith("horovod"):
            self.foreign.add(alias)
            return
        self.modules.add(alias)
        self._seen(node, module.split("."))

    def _import_from(self, node: ast.ImportFrom, name: str, alias: str) -> None:
        module = (node.module or "").split(".")
        if module[0] != "horovod" or node.level:
            self.foreign.add(alias)
            return
        if name == "init" or name == "*":
            self.inits.add("init" if name == "*" else alias)
        self.modules.add(alias)
        self.functions[alias] = name
        self._seen(node, [*module, name])

    def _seen(self, node: ast.stmt, path: list[str]) -> None:
        if len(path) > 1 and path[1] in FRAMEWORKS:
            self.line = min(self.line or node.lineno, node.lineno)

    def may_initialise(self, node: ast.AST) -> bool:
        """Return whether a node mentions `init`, or hands Horovod to code that may call it."""
        if isinstance(node, ast.Attribute) and node.attr == "init":
            owner = dotted_name(node.value)
            return (
                owner in self.modules
                or owner.rpartition(".")[2] in {"hvd", "horovod"} | self.modules
            )
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            return node.id in self.inits
        if isinstance(node, ast.Call):
            called = dotted_name(node.func)
            if any(dotted_name(argument) in self.modules for argument in node.args):
                return True
            if called.endswith("import_module"):
                return True
            if called.partition(".")[0] in self.foreign:
                return bool(re.search(r"(?i)horovod|hvd|distrib|init_|setup|_init", called))
        return False

    def asks_who(self, node: ast.AST) -> bool:
        """Return whether a node asks which process this is."""
        return isinstance(node, ast.Call) and last_name(node.func) in _ASKS_WHO

    def asks_local_rank(self, node: ast.AST) -> bool:
        """Return whether a node asks Horovod which process of the node this is."""
        return isinstance(node, ast.Call) and self.is_local_rank(node.func)

    def is_local_rank(self, node: ast.AST) -> bool:
        """Return whether a node is Horovod's function `local_rank`, not called."""
        return self.function(node) == "local_rank"

    def _is_horovod(self, node: ast.AST) -> bool:
        owner = dotted_name(node)
        return owner in self.modules or owner.rpartition(".")[2] in self.modules

    def asks_if_alone(self, node: ast.AST) -> bool:
        """Return whether a node asks how many processes there are."""
        return isinstance(node, ast.Call) and self.function(node.func) in {"size", "local_size"}

    def function(self, node: ast.AST) -> str | None:
        """Return what Horovod calls the function that an expression names, if it is Horovod's."""
        if isinstance(node, ast.Attribute) and self._is_horovod(node.value):
            return node.attr
        return self.functions.get(node.id) if isinstance(node, ast.Name) else None
