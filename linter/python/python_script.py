"""What a training script's syntax tree tells, without running it."""

from __future__ import annotations

import ast
import warnings

from bai.linter.python.compiling import refusal
from bai.linter.python.environment_reads import environment_reads
from bai.linter.python.misspelt_names import imports_alike
from bai.linter.python.python_2 import is_old_syntax, old_name
from bai.linter.python.results import Save, ScriptFacts, SyntaxProblem, Unexamined
from bai.linter.python.source_encoding import misencoded
from bai.linter.python.uncalled_main import uncalled_main

__all__ = ["MAX_LENGTH", "Save", "ScriptFacts", "SyntaxProblem", "Unexamined", "examine"]

MAX_LENGTH = 500_000
"""Longer scripts, in characters or bytes, are not looked at."""
_OLD = (
    *("xrange", "raw_input", "unicode", "basestring", "unichr", "execfile", "urllib2", "cPickle"),
    *("cStringIO", "has_key", "iteritems", "iterkeys", "itervalues", "print >>", "print>>"),
)
"""Each script for which `python_2.old_name` finds anything says one of these."""
_PARTS = (".torch", ".tensorflow", ".keras", ".mxnet")
"""One of these follows where the package `horovod` is misspelt."""


def examine(source: str | bytes) -> ScriptFacts | SyntaxProblem | Unexamined:
    """Return what the syntax tree of a script tells."""
    if len(source) > MAX_LENGTH:
        return Unexamined("the script is too long")
    if isinstance(source, bytes) and not source.isascii() and (problem := misencoded(source)):
        return problem
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            found = _facts(tree, source)
            refused = refusal(tree, source)
        return _problem(refused) if refused else found
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


def _facts(tree: ast.Module, source: str | bytes) -> ScriptFacts:
    found = ScriptFacts(
        None, initialises=False, saves=(), mentions_horovod=False, is_empty=not tree.body
    )
    if _mentions(source, "horovod") or _imports_alike(tree, source):
        from bai.linter.python.horovod_script import facts

        found = facts(tree)
    if _mentions(source, "def main("):
        found = found._replace(uncalled_main=uncalled_main(tree))
    if _mentions(source, "BATCH"):
        found = found._replace(variables=environment_reads(tree))
    if any(_mentions(source, word) for word in _OLD):
        found = found._replace(old=old_name(tree))
    return found


def _imports_alike(tree: ast.Module, source: str | bytes) -> bool:
    """Return whether a script that does not say `horovod` means it nevertheless."""
    if not any(_mentions(source, part) for part in _PARTS):
        return False
    return imports_alike(tree.body)


def _mentions(source: str | bytes, word: str) -> bool:
    return word.encode() in source if isinstance(source, bytes) else word in source
