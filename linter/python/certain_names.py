"""What in a Python script surely is Horovod's, and nothing else that has the same name."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from bai.linter.python.bindings import Bindings
from bai.linter.python.horovod_names import FRAMEWORKS
from bai.linter.python.syntax_tree import dotted_name


class CertainNames:
    """The names that a script binds to parts of Horovod, and to nothing else.

    A name that is None where Horovod is not installed counts.
    """

    def __init__(self, nodes: Sequence[ast.AST], bound: Bindings) -> None:
        self._modules: dict[str, str] = {}
        """Name of a module in the script, perhaps with dots -> its framework."""
        self._functions: dict[str, tuple[str, str]] = {}
        """Name of a function in the script -> its framework, and what Horovod calls it."""
        imported: set[int] = set()
        """Ids of the imports of Horovod."""
        for node in nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    path = alias.name.split(".")
                    if path[0] == "horovod":
                        imported.add(id(alias))
                        self._module(alias.asname or alias.name, path)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                path = (node.module or "").split(".")
                if path[0] == "horovod":
                    imported.update(map(id, node.names))
                    for alias in node.names:
                        self._imported(alias.asname or alias.name, [*path, alias.name])
        self._certain = {
            name
            for name, values in bound.items()
            if all(id(each) in imported or _is_none(each) for each in values)
        }

    @property
    def frameworks(self) -> set[str]:
        """What it works with: `torch`, for example."""
        return {*self._modules.values(), *(framework for framework, _ in self._functions.values())}

    def function(self, node: ast.AST) -> str | None:
        """Return what Horovod calls the function that an expression names, if it surely is one."""
        if isinstance(node, ast.Attribute):
            owner = dotted_name(node.value)
            is_module = owner in self._modules and owner.partition(".")[0] in self._certain
            return node.attr if is_module else None
        if isinstance(node, ast.Name) and node.id in self._functions and node.id in self._certain:
            return self._functions[node.id][1]
        return None

    def called(self, node: ast.AST) -> str | None:
        """Return the name of the function of Horovod that a node calls, if it surely does."""
        return self.function(node.func) if isinstance(node, ast.Call) else None

    def _module(self, name: str, path: list[str]) -> None:
        if len(path) > 1 and path[1] in FRAMEWORKS:
            self._modules[name] = path[1]

    def _imported(self, name: str, path: list[str]) -> None:
        if path[-1] in FRAMEWORKS:
            self._module(name, path)
        elif len(path) > 2 and path[1] in FRAMEWORKS:
            self._functions[name] = (path[1], path[-1])


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
