"""The model of a script that may use Horovod, with the names that it binds to it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import cached_property

from bai.linter.python.horovod_api import FRAMEWORKS
from bai.linter.python.script_model import Import, ScriptModel
from bai.linter.python.syntax_tree import dotted_name, is_none
from bai.linter.python.value_flows import Flow, flows

_MAY_INITIALISE = re.compile(r"(?i)horovod|hvd|distrib|init_|setup|_init")


class HorovodNames(ScriptModel):
    """A script, and what it calls Horovod and its functions.

    A possible name may be bound to something else as well. A certain one is bound to Horovod only,
    or to None where Horovod is not installed.
    """

    def __init__(self, tree: ast.Module) -> None:
        super().__init__(tree)
        self.horovod_line: int | None = None
        """Where the script first imports a part of Horovod for a framework."""
        self.horovod_modules = {"hvd", "horovod"}
        """Possible names of Horovod's modules."""
        self._functions: dict[str, str] = {}
        """A possible name of a function of Horovod -> its name there."""
        self._inits: set[str] = set()
        self._foreign: set[str] = set()
        """Names imported from anywhere else, which may wrap Horovod."""
        self.frameworks: dict[str, str] = {}
        """A name of Horovod's, perhaps with dots -> its framework: `torch`, for example."""
        self._modules: dict[str, set[str]] = {}
        """A possible name of a module -> the parts of Horovod that it may be."""
        imported: set[int] = set()
        for each in self.imports:
            if each.path[:1] == ["horovod"]:
                imported.add(id(each.alias))
                self._add(each)
            else:
                self._foreign.add(each.bound)
        certain = {
            name
            for name, values in self.bindings.items()
            if all(id(value) in imported or is_none(value) for value in values)
        }
        self.parts = {
            name: parts
            for name, parts in self._modules.items()
            if name.partition(".")[0] in certain
        }
        """The same for certain names, perhaps with dots."""
        self._certain_functions = certain & (self.frameworks.keys() - self._modules.keys())
        mentions = self.of(ast.Attribute, ast.Name, ast.Call)
        self.initialising = [node for node in mentions if self._may_initialise(node)]
        """The nodes that mention `init`, or hand Horovod to code that may call it."""

    def _add(self, each: Import) -> None:
        path, name = each.path, each.bound
        self.horovod_modules.add(name)
        if each.name:
            self._functions[name] = each.name
        if each.name in ("init", "*"):
            self._inits.add("init" if each.name == "*" else name)
        if path[1:] and path[1] in FRAMEWORKS:
            self.horovod_line = min(self.horovod_line or each.line, each.line)
            self.frameworks[name] = path[1]
            if each.name is None or path[-1] in FRAMEWORKS:
                self._modules.setdefault(name, set()).add(".".join(path))

    @cached_property
    def flows(self) -> Sequence[Flow]:
        """Which values reach which names."""
        return flows(self)

    def possible(self, node: ast.AST) -> str | None:
        """Return the name in Horovod of a function that an expression may name."""
        if isinstance(node, ast.Attribute):
            return node.attr if self._may_be_module(dotted_name(node.value)) else None
        return self._functions.get(node.id) if isinstance(node, ast.Name) else None

    def certain(self, node: ast.AST) -> str | None:
        """Return the name in Horovod of a function that an expression certainly names."""
        if isinstance(node, ast.Attribute):
            return node.attr if dotted_name(node.value) in self.parts else None
        is_function = isinstance(node, ast.Name) and node.id in self._certain_functions
        return self.possible(node) if is_function else None

    def called(self, node: ast.AST) -> str | None:
        """Return the name of the function of Horovod that a node certainly calls."""
        return self.certain(node.func) if isinstance(node, ast.Call) else None

    def asked(self, node: ast.AST) -> str | None:
        """Return the name of the function of Horovod that a node may call."""
        return self.possible(node.func) if isinstance(node, ast.Call) else None

    def _may_be_module(self, name: str) -> bool:
        return name in self.horovod_modules or name.rpartition(".")[2] in self.horovod_modules

    def _may_initialise(self, node: ast.Attribute | ast.Name | ast.Call) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr == "init" and self._may_be_module(dotted_name(node.value))
        if isinstance(node, ast.Name):
            return node.id in self._inits and isinstance(node.ctx, ast.Load)
        called = dotted_name(node.func)
        return (
            called.endswith("import_module")
            or any(dotted_name(each) in self.horovod_modules for each in node.args)
            or (called.partition(".")[0] in self._foreign and bool(_MAY_INITIALISE.search(called)))
        )
