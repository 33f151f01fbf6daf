"""Signs of Python 2 in a script."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bai.linter.python.bindings import Bindings, bindings, key
from bai.linter.python.results import OldName
from bai.linter.python.syntax_tree import last_name

_BUILTINS = frozenset({"xrange", "raw_input", "unicode", "basestring", "unichr", "execfile"})
_MODULES = frozenset({"urllib2", "cPickle", "cStringIO"})
"""Modules of Python 2's library whose names nobody gives to another one."""
_METHODS = frozenset({"has_key", "iteritems", "iterkeys", "itervalues"})
"""What dictionaries had. Other things may still have it."""
_DICTIONARIES = frozenset({"dict", "OrderedDict", "defaultdict", "Counter"})
_ABOUT_VERSIONS = re.compile(r"(?i)version_info|hexversion|python_version|py(?:thon)?_?[23]")
"""Names by which a script that runs with both versions tells them apart."""

_MESSAGES = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
    "unction parameters cannot be parenthesized",
)
_LINE = re.compile(
    r"(?i)^\s*raise\s+[\w.]+\s*,|^\s*exec\s+\w+\s+in\s|<>|\b\d+L\b|\bur[\"']",
)
"""A line which only Python 2 can read."""


def is_old_syntax(error: SyntaxError) -> bool:
    """Return whether Python 2 may read what Python 3 can't."""
    message = error.msg or ""
    return any(sign in message for sign in _MESSAGES) or bool(_LINE.search(error.text or ""))


def old_name(tree: ast.Module) -> OldName | None:
    """Return the first name of Python 2's that a script needs and Python 3 lacks, if any.

    What it binds itself or tries does not count, and nothing does if it tells the versions apart.
    """
    nodes = list(ast.walk(tree))
    bound = bindings(nodes)
    if "*" in bound or any(map(_knows_versions, nodes)):
        return None
    coping: set[int] = set()
    found: list[OldName] = []
    for node in nodes:  # parents before their children
        if id(node) in coping or _copes(node):
            coping.update(map(id, ast.iter_child_nodes(node)))
        else:
            found += _old(node, bound)
    return min(found, default=None)


def _knows_versions(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):  # `str is bytes`
        return {last_name(node.left), *map(last_name, node.comparators)} == {"str", "bytes"}
    return bool(_ABOUT_VERSIONS.search(last_name(node)))


def _copes(node: ast.AST) -> bool:
    """Return whether what is in a node need not run with Python 3."""
    if isinstance(node, ast.If):
        test = ast.walk(node.test)
        return any(isinstance(each, ast.Name) and each.id == "hasattr" for each in test)
    if isinstance(node, ast.FunctionDef):
        return node.name == "__unicode__"
    return isinstance(node, (ast.Try, ast.TryStar))


def _old(node: ast.AST, bound: Bindings) -> Iterator[OldName]:
    if isinstance(node, ast.Name) and node.id in _BUILTINS and node.id not in bound:
        yield OldName(node.lineno, node.id)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            names = [] if node.level else [node.module or ""]
        yield from (OldName(node.lineno, name) for name in names if name in _MODULES)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _METHODS and _is_dictionary(node.func.value, bound):
            yield OldName(node.lineno, node.func.attr)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.RShift) and _prints(node.left):
        yield OldName(node.lineno, "print >>")


def _prints(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "print"


def _is_dictionary(node: ast.AST, bound: Bindings) -> bool:
    """Return whether an expression surely is a dictionary."""
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return True
    if isinstance(node, ast.Call):
        return last_name(node.func) in _DICTIONARIES
    values = bound.get(key(node), ())
    return bool(values) and all(
        isinstance(value, (ast.Dict, ast.DictComp, ast.Call)) and _is_dictionary(value, bound)
        for value in values
    )
