"""Which of the service's environment variables a Python script needs.

What copes without a variable does not need it: a default, a test whether it is there, a `try`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from bai.linter.python.certain_runs import CertainRuns
from bai.linter.python.results import VariableRead
from bai.linter.python.syntax_tree import assigned_names, dotted_name, last_name

_NAME = re.compile(r"AZ(?:URE)?_?BATCH\w*", re.ASCII)
"""What may be meant for a variable of the service."""
_MOST = 200
"""Names that are looked at."""
_ENVIRONMENT = frozenset({"os.environ", "environ"})
_GETS = frozenset({"os.getenv", "getenv", "os.environ.get", "environ.get"})
_TAKES_TEXTS = frozenset(
    {"join", "Path", "PurePath", "open", "makedirs", "mkdir", "listdir", "int", "float"}
)
"""Calls that fail if they are given None."""


def environment_reads(tree: ast.Module) -> tuple[VariableRead, ...]:
    """Return where a script needs which variables, by line."""
    nodes = list(ast.walk(tree))
    named = [
        (node, node.value)
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _NAME.fullmatch(node.value)
    ]
    if not named or any(map(_sets_any, nodes)):
        return ()
    runs = CertainRuns(nodes)
    tested, failing = set(_tested(nodes)), _failing_on_none(nodes)
    found: list[VariableRead] = []
    # Names that more is done with than to read them.
    coped: set[str | None] = {node.arg for node in nodes if isinstance(node, ast.keyword)}
    for node, name in named[:_MOST]:
        above = list(runs.above(node))
        kept = None if any(map(_catches, above)) else _kept(node, above[0], above[1])
        if kept is None or not kept.isdisjoint(tested):
            coped.add(name)
            continue
        uses = [use for each in kept for use in failing.get(each, ())]
        needed = not kept or any(map(runs.reaches, uses[:_MOST]))
        found.append(VariableRead(node.lineno, name, needed and runs.reaches(node)))
    return tuple(sorted(each for each in found if each.name not in coped))


def _kept(name: ast.Constant, read: ast.AST, outer: ast.AST) -> set[str] | None:
    """Return the names that keep what is read of a variable, which may be None.

    Args:
        name: the variable's name.
        read: what the name stands in.
        outer: what that stands in.

    Returns:
        No names where the script fails at once without the variable; None where it copes, or where
        the name does not stand for reading the variable at all.
    """
    if isinstance(read, ast.Subscript):
        is_read = dotted_name(read.value) in _ENVIRONMENT and isinstance(read.ctx, ast.Load)
        return set() if is_read else None
    if not isinstance(read, ast.Call) or read.args != [name] or read.keywords:
        return None
    if dotted_name(read.func) not in _GETS:
        return None
    if isinstance(outer, ast.Assign):
        return set(assigned_names(outer.targets)) or None
    fails = isinstance(outer, (ast.BinOp, ast.Call)) and read in _failing(outer)
    return set() if fails else None


def _failing_on_none(nodes: Sequence[ast.AST]) -> dict[str, list[ast.AST]]:
    """Return the names that the script uses as only texts can be used, with these uses."""
    found: dict[str, list[ast.AST]] = {}
    for node in nodes:
        if isinstance(node, (ast.BinOp, ast.Call)):
            for part in _failing(node):
                found.setdefault(last_name(part), []).append(node)
    return found


def _failing(node: ast.BinOp | ast.Call) -> Sequence[ast.expr]:
    """Return the parts of an expression that must not be None."""
    if isinstance(node, ast.Call):
        return node.args if last_name(node.func) in _TAKES_TEXTS else ()
    # `"%s" % None` is fine.
    return (node.left, node.right) if isinstance(node.op, (ast.Add, ast.Div)) else ()


def _catches(node: ast.AST) -> bool:
    """Return whether a KeyError in a node may have no consequences."""
    if isinstance(node, ast.With):
        return any("suppress" in ast.dump(item.context_expr) for item in node.items)
    return isinstance(node, (ast.Try, ast.TryStar))


def _sets_any(node: ast.AST) -> bool:
    """Return whether a node may set variables whose names are not told there."""
    if isinstance(node, ast.Subscript):
        is_set = isinstance(node.ctx, ast.Store) and dotted_name(node.value) in _ENVIRONMENT
        return is_set and not isinstance(node.slice, ast.Constant)
    if not isinstance(node, ast.Call):
        return False
    called = dotted_name(node.func)
    return called.endswith(("load_dotenv", "environ.update", "read_env"))


def _tested(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the names that some condition speaks of."""
    for node in nodes:
        tests: Sequence[ast.expr] = ()
        if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)):
            tests = [node.test]
        elif isinstance(node, ast.BoolOp):
            tests = node.values
        elif isinstance(node, ast.Compare):
            tests = [node]
        elif isinstance(node, ast.Match):
            tests = [node.subject]
        for test in tests:
            yield from (
                last_name(each)
                for each in ast.walk(test)
                if isinstance(each, (ast.Name, ast.Attribute))
            )
