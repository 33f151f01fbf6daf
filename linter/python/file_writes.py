"""Which calls of a Python script write a file other than a checkpoint, and where to."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from bai.linter.python.syntax_tree import argument, dotted_name, last_name

_NEW = re.compile(r"w[bt+]*")
"""Modes in which `open` begins a file anew: with `x` one process alone succeeds."""
_OPENERS = frozenset({"open", "GFile", "FastGFile", "Open"})
_NUMPY = frozenset({"save", "savez", "savez_compressed", "savetxt"})
_METHODS = frozenset({"write_text", "write_bytes"})
"""Methods of a path."""
_TAKE_PATH = frozenset({"to_csv", "to_pickle", "to_parquet", "to_json", "savefig"})
"""Methods of what is written."""
_CAREFUL = re.compile(r"(?i).*(?:exist|is_?file|lock).*")
"""What code asks that knows of other processes."""


class FileWrites:
    """What in a script writes files."""

    def __init__(self, nodes: Sequence[ast.AST]) -> None:
        """Learn from all nodes of a tree, parents before their children."""
        self._careful: set[int] = set()
        """Ids of the nodes below conditions on what other processes have done, and locks."""
        self.handles: dict[int, str] = {}
        """Id of a call in `with CALL as NAME` -> the name."""
        for node in nodes:
            asked: list[ast.expr] = []
            if isinstance(node, (ast.If, ast.IfExp)):
                asked = [node.test]
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                asked = [item.context_expr for item in node.items]
                for item in node.items:
                    if isinstance(item.optional_vars, ast.Name):
                        self.handles[id(item.context_expr)] = item.optional_vars.id
            if id(node) in self._careful or any(map(_is_careful, asked)):
                self._careful.update(id(child) for child in ast.iter_child_nodes(node))

    def destination(self, node: ast.Call) -> list[ast.expr] | None:
        """Return the expressions that say where a call writes to, or None if it writes nothing."""
        return None if id(node) in self._careful else _destination(node) or None


def _destination(node: ast.Call) -> list[ast.expr]:
    name = last_name(node.func)
    if name in _OPENERS:
        return _opened(node)
    if name in _NUMPY and dotted_name(node.func).rpartition(".")[0] in {"np", "numpy"}:
        return argument(node, 0, "file", "fname")
    if name == "dump" and dotted_name(node.func) == "joblib.dump":
        return argument(node, 1, "filename")
    if name in _METHODS and isinstance(node.func, ast.Attribute):
        return [node.func.value]
    if name in _TAKE_PATH:
        return argument(node, 0, "path_or_buf", "path", "fname")
    return []


def _opened(node: ast.Call) -> list[ast.expr]:
    """Return the path of a file that is opened to be written anew."""
    if isinstance(node.func, ast.Attribute) and node.args and _is_mode(node.args[0]):
        return [node.func.value]  # path.open("w")
    modes = argument(node, 1, "mode")
    return argument(node, 0, "file", "name") if modes and _is_mode(modes[0]) else []


def _is_mode(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _NEW.fullmatch(node.value) is not None
    )


def _is_careful(test: ast.expr) -> bool:
    return any(
        isinstance(node, (ast.Name, ast.Attribute)) and _CAREFUL.fullmatch(last_name(node))
        for node in ast.walk(test)
    )
