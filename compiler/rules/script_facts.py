"""What the syntax trees of jobs' scripts tell."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from bai.compiler.rules.subject import Subjects

if TYPE_CHECKING:
    from bai.compiler.analysis.python_script import Save, ScriptFacts, SyntaxProblem, Unexamined
    from bai.compiler.rules.scripts import Script

_LINES: Final = 3
"""Of more lines than these the first two are named, and the rest counted."""


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


def calls_in(script: Script, saves: Sequence[Save]) -> str:
    """Return in words what is called on which lines of a script, in the order of the lines."""
    first, *rest = saves
    name = posixpath.basename(script.file)
    lines = list(dict.fromkeys(str(save.line) for save in rest if save.line != first.line))
    if len(lines) > _LINES:
        lines[2:] = [f"{len(lines) - 2} more"]
    *most, last = lines or [""]
    also = f", also on lines {', '.join(most)} and {last}" if most else f", also on line {last}"
    return f"{first.call} on line {first.line} of {name}{also if lines else ''}"


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
