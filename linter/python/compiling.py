"""What Python's compiler refuses in a script that parses: `return` outside a function, for one."""

from __future__ import annotations

import ast

_MAX_LENGTH = 60_000
"""Longer scripts, in characters or bytes, are not compiled: to do so may take the square of it."""
_CAPTURES = (ast.MatchAs, ast.MatchStar, ast.MatchMapping)


def refusal(tree: ast.Module, source: str | bytes) -> SyntaxError | None:
    """Return why Python refuses to compile a script, or None if it does not, or is not asked.

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
    """Take out of a tree what takes long to compile; return whether that could be done."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Try, ast.TryStar)) and node.finalbody:
            # `finally` is compiled for each way out again: 2 ** 100 times if they are nested.
            node.body += node.finalbody
            node.finalbody = [ast.copy_location(ast.Pass(), node)]
        elif isinstance(node, ast.MatchOr) and any(
            isinstance(each, _CAPTURES) for each in ast.walk(node)
        ):
            return False  # grows with the cube of the names in it
    return True
