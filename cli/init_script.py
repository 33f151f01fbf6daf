"""The script that is in a folder already, for the spec that `bai init` writes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from bai.linter.python.script_model import imports_of

USUAL: Final = "train.py"
"""The script of the templates."""
_NAME: Final = re.compile(r"[A-Za-z_][\w-]*\.py", re.ASCII)
"""Names that need no quotes, in YAML or for a shell."""
_HOROVOD: Final = "horovod"
_LIBRARIES: Final = frozenset((_HOROVOD, "keras", "tensorflow", "torch"))


class Script(NamedTuple):
    """A script that a job may run."""

    name: str
    uses_horovod: bool


def script_in(folder: Path) -> Script | None:
    """Return the script of a folder: `train.py`, or else the only one that can be meant.

    That is one with a main guard, or which imports a library for training.
    """
    found = list(_scripts(folder))
    usual = next((script for script in found if script.name == USUAL), None)
    return usual or (found[0] if len(found) == 1 else None)


def _scripts(folder: Path) -> Iterator[Script]:
    for path in sorted(folder.glob("*.py")):
        if not _NAME.fullmatch(path.name):
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError):
            tree = ast.Module([], [])
        modules = _imported(tree)
        is_program = modules & _LIBRARIES or any(map(_is_guard, tree.body))
        if is_program or path.name == USUAL:
            yield Script(path.name, _HOROVOD in modules)


def _imported(tree: ast.Module) -> set[str]:
    """Return the packages that a script imports, wherever in it."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.stmt))
    imports = (each for node in nodes for each in imports_of(node) if not each.level)
    return {each.module.partition(".")[0] for each in imports}


def _is_guard(statement: ast.stmt) -> bool:
    """Return whether a statement is `if __name__ == "__main__":`."""
    match statement:
        case ast.If(test=ast.Compare(left=left, comparators=[right])):
            names = {getattr(left, "id", None), getattr(right, "id", None)}
            values = {getattr(left, "value", None), getattr(right, "value", None)}
            return "__name__" in names and "__main__" in values
    return False
