"""What Python rejects in a script besides its grammar: `return` outside a function, for example."""

from __future__ import annotations

import ast
import re

from bai.linter.python.results import SyntaxProblem
from bai.linter.python.syntax_tree import TRIES

_MAX_LENGTH = 60_000
"""Longer scripts, in characters or bytes, are not compiled: that may take quadratic time."""
_CAPTURES = (ast.MatchAs, ast.MatchStar, ast.MatchMapping)
_DECLARED = re.compile(rb"(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
"""How Python finds the name of an encoding, in the first two lines."""


def encoding_error(source: bytes) -> SyntaxProblem | None:
    """Return where a script that declares no other encoding is not UTF-8, if anywhere.

    Python rejects it, even if only comments have such bytes.
    """
    if source.isascii():
        return None
    declared = _DECLARED.match(source)
    if declared and declared[1].lower().replace(b"_", b"-") not in {b"utf-8", b"utf8"}:
        return None
    try:
        source.decode()
    except UnicodeDecodeError as error:
        before = source[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode()) + 1
        message = f"byte 0x{source[error.start]:02x} is not UTF-8"
        return SyntaxProblem(line, column, message, python2=False, misencoded=True)
    return None


def compile_error(tree: ast.Module, source: str | bytes) -> SyntaxError | None:
    """Return why Python does not compile a script, or None if it does, or is not asked.

    The tree is of no use afterwards.
    """
    if len(source) > _MAX_LENGTH:
        return None
    text = source if isinstance(source, bytes) else source.encode(errors="replace")
    if (b"finally" in text or b"case" in text) and not _make_cheap(tree):
        return None
    try:
        compile(tree, "<script>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except (RecursionError, MemoryError, ValueError, OverflowError, SystemError):
        return None
    return None


def _make_cheap(tree: ast.Module) -> bool:
    """Remove from a tree what takes long to compile; return whether that was possible."""
    for node in ast.walk(tree):
        if isinstance(node, TRIES) and node.finalbody:
            # `finally` is compiled for each way out again: 2 ** 100 times if they are nested.
            node.body += node.finalbody
            node.finalbody = [ast.copy_location(ast.Pass(), node)]
        elif isinstance(node, ast.MatchOr) and any(
            isinstance(each, _CAPTURES) for each in ast.walk(node)
        ):
            return False  # grows with the cube of the names in it
    return True
