"""What the syntax trees of jobs' scripts tell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from bai.compiler.rules.subject import Subjects

if TYPE_CHECKING:
    from bai.compiler.analysis.python_script import ScriptFacts, SyntaxProblem, Unexamined
    from bai.compiler.rules.scripts import Script


def problems(subjects: Subjects) -> Iterator[tuple[Script, SyntaxProblem]]:
    """Iterate over the Python scripts that do not parse, and why."""
    for script, found in _examined(subjects):
        from bai.compiler.analysis.python_script import SyntaxProblem

        if isinstance(found, SyntaxProblem):
            yield script, found


def facts(subjects: Subjects) -> Iterator[tuple[Script, ScriptFacts]]:
    """Iterate over the Python scripts that several processes run, and what is known of them."""
    for script, found in _examined(subjects):
        from bai.compiler.analysis.python_script import ScriptFacts

        if script.gang and isinstance(found, ScriptFacts):
            yield script, found


def _examined(
    subjects: Subjects,
) -> Iterator[tuple[Script, ScriptFacts | SyntaxProblem | Unexamined]]:
    if subjects.files is None or not subjects.scripts:
        return
    from bai.compiler.analysis.python_script import MAX_LENGTH

    for script in subjects.scripts:
        if script.is_python and (content := subjects.files.read(script.file, MAX_LENGTH)):
            yield script, _examine(content)


@lru_cache(maxsize=32)
def _examine(content: bytes) -> ScriptFacts | SyntaxProblem | Unexamined:
    # Several rules ask, and many jobs run the same script.
    from bai.compiler.analysis.python_script import examine

    return examine(content)
