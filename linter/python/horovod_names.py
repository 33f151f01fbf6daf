"""The names that a Python script binds to Horovod."""

from __future__ import annotations

import ast
import re

from bai.linter.python.horovod_api import FRAMEWORKS
from bai.linter.python.script_model import Import, ScriptModel
from bai.linter.python.syntax_tree import dotted_name, is_none

_MAY_INITIALISE = re.compile(r"(?i)horovod|hvd|distrib|init_|setup|_init")


class HorovodNames:
    """What a script calls Horovod and its functions.

    A possible name may be bound to something else as well. A certain one is bound to Horovod only,
    or to None where Horovod is not installed.
    """

    def __init__(self, model: ScriptModel) -> None:
        self.line: int | None = None
        """Where the script first imports a part of Horovod for a framework."""
        self.modules = {"hvd", "horovod"}
        """Possible names of Horovod's modules."""
        self._functions: dict[str, str] = {}
        """A possible name of a function of Horovod -> its name there."""
        self._inits: set[str] = set()
        self._foreign: set[str] = set()
        """Names imported from anywhere else, which may wrap Horovod."""
        self._certain_modules: dict[str, str] = {}
        """Name of a module, perhaps with dots -> its framework."""
        self._certain_functions: dict[str, tuple[str, str]] = {}
        """Name of a function -> its framework, and its name in Horovod."""
        imported: set[int] = set()
        for each in model.imports:
            if each.path[:1] == ["horovod"]:
                imported.add(id(each.alias))
                self._add(each)
            else:
                self._foreign.add(each.bound)
        self._certain = {
            name
            for name, values in model.bindings.items()
            if all(id(value) in imported or is_none(value) for value in values)
        }
        mentions = model.of(ast.Attribute, ast.Name, ast.Call)
        self.initialising = [node for node in mentions if self._may_initialise(node)]
        """The nodes that mention `init`, or hand Horovod to code that may call it."""

    def _add(self, each: Import) -> None:
        path, is_part = each.path, each.path[1:] and each.path[1] in FRAMEWORKS
        self.modules.add(each.bound)
        if is_part:
            self.line = min(self.line or each.line, each.line)
        if each.name:
            self._functions[each.bound] = each.name
        if each.name in ("init", "*"):
            self._inits.add("init" if each.name == "*" else each.bound)
        if is_part and (each.name is None or path[-1] in FRAMEWORKS):
            self._certain_modules[each.bound] = path[1]
        elif is_part and len(path) > 2:
            self._certain_functions[each.bound] = (path[1], path[-1])

    @property
    def frameworks(self) -> set[str]:
        """The frameworks that the script uses with Horovod: `torch`, for example."""
        functions = self._certain_functions.values()
        return {*self._certain_modules.values(), *(framework for framework, _ in functions)}

    def possible(self, node: ast.AST) -> str | None:
        """Return the name in Horovod of a function that an expression may name."""
        if isinstance(node, ast.Attribute):
            return node.attr if self._may_be_module(dotted_name(node.value)) else None
        return self._functions.get(node.id) if isinstance(node, ast.Name) else None

    def certain(self, node: ast.AST) -> str | None:
        """Return the name in Horovod of a function that an expression certainly names."""
        if isinstance(node, ast.Attribute):
            owner = dotted_name(node.value)
            is_module = owner in self._certain_modules and owner.partition(".")[0] in self._certain
            return node.attr if is_module else None
        if isinstance(node, ast.Name) and node.id in self._certain_functions.keys() & self._certain:
            return self._certain_functions[node.id][1]
        return None

    def called(self, node: ast.AST) -> str | None:
        """Return the name of the function of Horovod that a node certainly calls."""
        return self.certain(node.func) if isinstance(node, ast.Call) else None

    def asks_local_rank(self, node: ast.AST) -> bool:
        """Return whether a node may call `hvd.local_rank()`."""
        return isinstance(node, ast.Call) and self.possible(node.func) == "local_rank"

    def asks_size(self, node: ast.AST) -> bool:
        """Return whether a node may ask for the number of processes."""
        return isinstance(node, ast.Call) and self.possible(node.func) in ("size", "local_size")

    def _may_be_module(self, name: str) -> bool:
        return name in self.modules or name.rpartition(".")[2] in self.modules

    def _may_initialise(self, node: ast.Attribute | ast.Name | ast.Call) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr == "init" and self._may_be_module(dotted_name(node.value))
        if isinstance(node, ast.Name):
            return node.id in self._inits and isinstance(node.ctx, ast.Load)
        called = dotted_name(node.func)
        return (
            called.endswith("import_module")
            or any(dotted_name(each) in self.modules for each in node.args)
            or (called.partition(".")[0] in self._foreign and bool(_MAY_INITIALISE.search(called)))
        )
