"""Calls of a Python script that make links or named pipes, at paths that variables begin."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from bai.linter.python.results import LinkCall
from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import dotted_name, last_name, text_of

WORDS: Final = ("symlink", "hardlink_to", "os.link", "mkfifo")
"""A script without these makes none."""
_FUNCTIONS: Final = {"os.symlink": (1, "symbolic links"), "os.link": (1, "hard links")}
"""Function -> position of the path that it makes, and what that is."""
_PIPES: Final = "os.mkfifo"
_METHODS: Final = {"symlink_to": "symbolic links", "hardlink_to": "hard links"}
"""Method of the path that it makes -> what that is."""
_GETS: Final = frozenset({"os.getenv", "getenv", "os.environ.get", "environ.get"})
_ENVIRONMENT: Final = frozenset({"os.environ", "environ"})
_DEEPEST: Final = 8
"""Names and expressions in one another that are looked through."""


def link_calls(script: ScriptModel) -> Iterator[LinkCall]:
    """Yield the calls whose path begins with an environment variable."""
    for call in script.of(ast.Call):
        name = dotted_name(call.func)
        made: ast.expr | None = None
        if name in _FUNCTIONS:
            place, what = _FUNCTIONS[name]
            made = call.args[place] if len(call.args) > place else None
        elif name == _PIPES and call.args:
            made, what = call.args[0], "named pipes"
        elif isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS:
            made, what = call.func.value, _METHODS[call.func.attr]
        path = _begin(script, made, _DEEPEST) if made else ""
        if path.startswith("$"):
            shown = last_name(call.func) if "?" in name else name
            yield LinkCall(call.lineno, shown, what, path)


def _begin(script: ScriptModel, node: ast.AST, left: int) -> str:
    """Return how a path begins, `$NAME` for a variable; empty where that is unknown."""
    if not left:
        return ""
    match node:
        case ast.Constant():
            # Nothing puts the value of a variable in its place.
            return "" if text_of(node).startswith("$") else text_of(node)
        case ast.Subscript(value=owner, slice=name) if dotted_name(owner) in _ENVIRONMENT:
            return f"${text_of(name)}" if text_of(name) else ""
        case ast.Call(func=function, args=[name, *_]) if dotted_name(function) in _GETS:
            return f"${text_of(name)}" if text_of(name) else ""
        case ast.Call(func=function, args=[*parts]) if (
            last_name(function) in {"join", "Path", "PurePath", "str", "fspath"} and parts
        ):
            return _joined([_begin(script, part, left - 1) for part in parts])
        case ast.BinOp(left=one, op=ast.Div(), right=other):
            return _joined([_begin(script, each, left - 1) for each in (one, other)])
        case ast.BinOp(left=one, op=ast.Add(), right=other):
            return _put_together([_begin(script, each, left - 1) for each in (one, other)])
        case ast.JoinedStr(values=parts):
            return _put_together([_begin(script, part, left - 1) for part in parts])
        case ast.FormattedValue(value=value):
            return _begin(script, value, left - 1)
        case ast.Name():
            values = script.values(node)
            return _begin(script, values[0], left - 1) if len(values) == 1 else ""
    return ""


def _put_together(parts: list[str]) -> str:
    """Return a text of parts, up to the first that is unknown."""
    return "".join(takewhile(bool, parts))


def _joined(parts: list[str]) -> str:
    """Return a path of parts, up to the first that is unknown."""
    path = ""
    for part in takewhile(bool, parts):
        is_absolute = part.startswith(("/", "$"))
        path = part if is_absolute or not path else f"{path.rstrip('/')}/{part}"
    return path
