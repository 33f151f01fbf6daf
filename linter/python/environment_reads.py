"""Which of the service's environment variables a Python script needs.

A script does not need a variable if it handles its absence: by a default, a test, or a `try`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from bai.linter.python.certain_runs import CertainRuns
from bai.linter.python.results import VariableRead
from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import (
    TRIES,
    assigned_names,
    dotted_name,
    last_name,
    mentioned_names,
)

_NAME = re.compile(r"AZ(?:URE)?_?BATCH\w*", re.ASCII)
"""What may be meant for a variable of the service."""
_MOST = 200
"""Names that are looked at."""
_ENVIRONMENT = frozenset({"os.environ", "environ"})
_GETS = frozenset({"os.getenv", "getenv", "os.environ.get", "environ.get"})
_SETS_ANY = ("load_dotenv", "environ.update", "read_env")
_TAKES_TEXTS = frozenset(
    {"join", "Path", "PurePath", "open", "makedirs", "mkdir", "listdir", "int", "float"}
)
"""Calls that fail if they are given None."""


def environment_reads(model: ScriptModel) -> Iterator[VariableRead]:
    """Yield where a script needs which variables."""
    named = [
        (node, node.value)
        for node in model.of(ast.Constant)
        if isinstance(node.value, str) and _NAME.fullmatch(node.value)
    ]
    if not named or _sets_any(model):
        return
    runs = CertainRuns(model)
    tested = {name for test in _tests(model) for name in mentioned_names(test)}
    texts: dict[str, list[ast.AST]] = {}  # names that must be texts, with these uses
    for use in model.of(ast.BinOp, ast.Call):
        for part in _must_be_texts(use):
            texts.setdefault(last_name(part), []).append(use)
    found: list[VariableRead] = []
    # Names that more is done with than to read them.
    handled: set[str | None] = {node.arg for node in model.of(ast.keyword)}
    for node, name in named[:_MOST]:
        kept = None if any(map(_catches, model.above(node))) else _kept(node, model)
        if kept is None or not kept.isdisjoint(tested):
            handled.add(name)
            continue
        uses = [use for each in kept for use in texts.get(each, ())]
        needed = not kept or any(map(runs.includes, uses[:_MOST]))
        found.append(VariableRead(node.lineno, name, needed and runs.includes(node)))
    yield from (each for each in found if each.name not in handled)


def _kept(name: ast.Constant, model: ScriptModel) -> set[str] | None:
    """Return the names that keep the value of a variable, which may be None.

    Returns:
        No names where the script fails at once without the variable; None where it does not fail,
        or where the name is not there to read the variable.
    """
    read, outer, *_ = (*model.above(name), None)
    if isinstance(read, ast.Subscript):
        is_read = dotted_name(read.value) in _ENVIRONMENT and isinstance(read.ctx, ast.Load)
        return set() if is_read else None
    if not isinstance(read, ast.Call) or read.args != [name] or read.keywords:
        return None
    if dotted_name(read.func) not in _GETS:
        return None
    if isinstance(outer, ast.Assign):
        return set(assigned_names(outer.targets)) or None
    fails = isinstance(outer, (ast.BinOp, ast.Call)) and read in _must_be_texts(outer)
    return set() if fails else None


def _must_be_texts(node: ast.BinOp | ast.Call) -> Sequence[ast.expr]:
    """Return the parts of an expression that must not be None."""
    if isinstance(node, ast.Call):
        return node.args if last_name(node.func) in _TAKES_TEXTS else ()
    # `"%s" % None` is fine.
    return (node.left, node.right) if isinstance(node.op, (ast.Add, ast.Div)) else ()


def _catches(node: ast.AST) -> bool:
    """Return whether a KeyError in a node may have no consequences."""
    if isinstance(node, ast.With):
        return any("suppress" in ast.dump(item.context_expr) for item in node.items)
    return isinstance(node, TRIES)


def _sets_any(model: ScriptModel) -> bool:
    """Return whether a script may set variables whose names it does not contain."""
    return any(
        isinstance(node.ctx, ast.Store)
        and dotted_name(node.value) in _ENVIRONMENT
        and not isinstance(node.slice, ast.Constant)
        for node in model.of(ast.Subscript)
    ) or any(dotted_name(node.func).endswith(_SETS_ANY) for node in model.of(ast.Call))


def _tests(model: ScriptModel) -> Iterator[ast.expr]:
    """Yield all conditions."""
    for node in (*model.of(ast.If, ast.IfExp), *model.of(ast.While, ast.Assert)):
        yield node.test
    for each in model.of(ast.BoolOp):
        yield from each.values
    yield from model.of(ast.Compare)
    yield from (each.subject for each in model.of(ast.Match))
