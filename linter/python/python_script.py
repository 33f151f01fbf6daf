"""The analysis of a training script by its syntax tree, without running it."""

from __future__ import annotations

import ast
import re
import warnings

from bai.linter.python.absent_names import imports_alike
from bai.linter.python.environment_reads import environment_reads
from bai.linter.python.link_calls import WORDS as LINK_WORDS
from bai.linter.python.link_calls import link_calls
from bai.linter.python.python_2 import OLD_WORDS, is_old_syntax, old_names
from bai.linter.python.results import Save, ScriptFacts, SyntaxProblem, Unexamined
from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import FUNCTIONS, TRIES, mentioned_names

__all__ = ["MAX_LENGTH", "Save", "ScriptFacts", "SyntaxProblem", "Unexamined", "examine"]

MAX_LENGTH = 500_000
"""Longer scripts, in characters or bytes, are not looked at."""
_MOST_COMPILED = 60_000
"""Longer scripts, in bytes, are not compiled: that may take quadratic time."""
_CAPTURES = (ast.MatchAs, ast.MatchStar, ast.MatchMapping)
_DECLARED = re.compile(rb"(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
"""How Python finds the name of an encoding, in the first two lines."""
_PARTS = (".torch", ".tensorflow", ".keras", ".mxnet")
"""A script that misspells the package `horovod` contains one of these."""


def examine(source: str | bytes) -> ScriptFacts | SyntaxProblem | Unexamined:
    """Return what the syntax tree of a script shows."""
    if len(source) > MAX_LENGTH:
        return Unexamined("the script is too long")
    if isinstance(source, bytes) and (problem := _encoding_error(source)):
        return problem
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            content = source if isinstance(source, bytes) else source.encode(errors="replace")
            found = _facts(tree, content)
            rejected = _compile_error(tree, content)
        return _problem(rejected) if rejected else found
    except SyntaxError as error:
        return _problem(error)
    except ValueError:  # NUL bytes, before Python 3.12; text that UTF-8 can't hold
        return SyntaxProblem(1, 1, "the script is not text", python2=False)
    except (RecursionError, MemoryError):
        return Unexamined("the script nests too deeply")


def _problem(error: SyntaxError) -> SyntaxProblem:
    return SyntaxProblem(
        line=max(error.lineno or 1, 1),
        column=max(error.offset or 1, 1),
        message=error.msg or "invalid syntax",
        python2=is_old_syntax(error),
    )


def _encoding_error(source: bytes) -> SyntaxProblem | None:
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


def _compile_error(tree: ast.Module, source: bytes) -> SyntaxError | None:
    """Return why Python does not compile a script, or None if it does, or is not asked.

    The tree is of no use afterwards.
    """
    if len(source) > _MOST_COMPILED:
        return None
    if (b"finally" in source or b"case" in source) and not _make_cheap(tree):
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


def _facts(tree: ast.Module, source: bytes) -> ScriptFacts:
    """Run the checks that may find something, by the words of a script."""

    def has(*words: str) -> bool:
        return any(word.encode() in source for word in words)

    found = ScriptFacts(mentions_horovod=has("bai.keras"), is_empty=not tree.body)
    script: ScriptModel | None = None
    if has("horovod") or (has(*_PARTS) and imports_alike(tree.body)):
        # Loading these takes longer than to check a script without Horovod.
        from bai.linter.python.horovod_facts import horovod_facts
        from bai.linter.python.horovod_script import HorovodScript

        script = HorovodScript(tree)
        found = horovod_facts(script)
    elif has("BATCH", *OLD_WORDS):
        script = ScriptModel(tree)
    if has("def main("):
        found = found._replace(uncalled_main=_uncalled_main(tree))
    if script and has("BATCH"):
        found = found._replace(variables=tuple(sorted(environment_reads(script))))
    if script and has("BATCH") and has(*LINK_WORDS):
        found = found._replace(links=tuple(sorted(link_calls(script))))
    if script and has(*OLD_WORDS):
        found = found._replace(old=min(old_names(script), default=None))
    return found


def _uncalled_main(tree: ast.Module) -> int | None:
    """Return the line of a function `main` that nothing calls, in a script that does nothing else.

    Imports may have effects, but do not call the functions of the script that imports them.
    """
    mains = [node for node in tree.body if isinstance(node, FUNCTIONS) and node.name == "main"]
    is_uncalled = all(map(_has_no_effect, tree.body)) and "main" not in mentioned_names(tree)
    return mains[-1].lineno if mains and is_uncalled else None


def _has_no_effect(statement: ast.stmt) -> bool:
    """Return whether a statement calls nothing, and only binds names."""
    if isinstance(statement, TRIES):
        handled = [each for handler in statement.handlers for each in handler.body]
        inner = [*statement.body, *handled, *statement.orelse, *statement.finalbody]
        return all(map(_has_no_effect, inner))
    if isinstance(statement, FUNCTIONS):
        return not statement.decorator_list
    if isinstance(statement, ast.ClassDef):
        return not statement.decorator_list and all(
            isinstance(each, FUNCTIONS) or _has_no_effect(each) for each in statement.body
        )
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return not any(isinstance(node, ast.Call) for node in ast.walk(statement))
    return isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass))
