"""Signs of Python 2 in a script."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bai.linter.python.results import Use
from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import TRIES, last_name, mentioned_names

_BUILTINS = frozenset({"xrange", "raw_input", "unicode", "basestring", "unichr", "execfile"})
_MODULES = frozenset({"urllib2", "cPickle", "cStringIO"})
"""Modules of Python 2's library with names that no other package has."""
_METHODS = frozenset({"has_key", "iteritems", "iterkeys", "itervalues"})
"""Methods of dictionaries; other classes may still have them."""
OLD_WORDS = (*_BUILTINS, *_MODULES, *_METHODS, "print >>", "print>>")
"""A script in which `old_names` finds anything contains one of these."""
_DICTIONARIES = frozenset({"dict", "OrderedDict", "defaultdict", "Counter"})
_ABOUT_VERSIONS = re.compile(r"(?i)version_info|hexversion|python_version|py(?:thon)?_?[23]")
"""Names by which a script that runs with both versions distinguishes them."""

_MESSAGES = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
    "unction parameters cannot be parenthesized",
)
_LINE = re.compile(r"(?i)^\s*raise\s+[\w.]+\s*,|^\s*exec\s+\w+\s+in\s|<>|\b\d+L\b|\bur[\"']")
"""A line that only Python 2 accepts."""


def is_old_syntax(error: SyntaxError) -> bool:
    """Return whether Python 2 may accept what Python 3 rejects."""
    message = error.msg or ""
    return any(sign in message for sign in _MESSAGES) or bool(_LINE.search(error.text or ""))


def old_names(model: ScriptModel) -> Iterator[Use]:
    """Yield the names of Python 2 that a script needs and Python 3 lacks.

    Names that it binds itself or tries are left out, and all if it distinguishes the versions.
    """
    if "*" in model.bindings or any(map(_knows_versions, model.nodes)):
        return
    methods = [node for node in model.of(ast.FunctionDef) if node.name == "__unicode__"]
    asking = [node for node in model.of(ast.If) if "hasattr" in mentioned_names(node.test)]
    handled = model.within([*methods, *asking, *model.of(*TRIES)])
    for each in model.imports:
        if id(each.alias) not in handled and each.module in _MODULES and not each.level:
            yield Use(each.line, each.module)
    for node in model.of(ast.Name, ast.Call, ast.BinOp):
        if id(node) not in handled:
            yield from _old(node, model)


def _knows_versions(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):  # `str is bytes`
        return {last_name(node.left), *map(last_name, node.comparators)} == {"str", "bytes"}
    return bool(_ABOUT_VERSIONS.search(last_name(node)))


def _old(node: ast.Name | ast.Call | ast.BinOp, model: ScriptModel) -> Iterator[Use]:
    match node:
        case ast.Name(id=name) if name in _BUILTINS and name not in model.bindings:
            yield Use(node.lineno, name)
        case ast.BinOp(op=ast.RShift(), left=ast.Name(id="print")):
            yield Use(node.lineno, "print >>")
        case ast.Call(func=ast.Attribute(attr=name, value=owner)) if name in _METHODS:
            if _is_dictionary(owner, model):
                yield Use(node.lineno, name)


def _is_dictionary(node: ast.AST, model: ScriptModel) -> bool:
    """Return whether an expression certainly is a dictionary."""
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return True
    if isinstance(node, ast.Call):
        return last_name(node.func) in _DICTIONARIES
    values = model.values(node)
    return bool(values) and all(
        isinstance(value, (ast.Dict, ast.DictComp, ast.Call)) and _is_dictionary(value, model)
        for value in values
    )
