"""Command lines and arguments to the texts that Batch AI takes."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from bai.compiler.passes.references import References
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.words import line_of, variables_as_text
from bai.specs.findings import Path
from bai.specs.models.job import Job
from bai.specs.models.machines import SetupTask
from bai.specs.source.places import part_span

_SCRIPT_BEHIND: Final = re.compile("-[A-Za-z]*[ce]")
"""An option behind which a program takes a script, which may have variables of its own."""


def set_line(
    builder: WireBuilder,
    target: Path,
    written: str | list[str] | None,
    references: References,
    source: Path,
    *,
    owner: Job | SetupTask,
    is_command: bool,
) -> None:
    """Set a command line, or arguments, at the wire path `target`.

    Args:
        builder: the builder of the body.
        target: the wire path.
        written: the line in the spec, at `source`: a text, or a list of words; None sets nothing.
        references: the references that it may hold.
        source: the path in the document.
        owner: the job or setup task, with the variables of its own.
        is_command: whether a shell reads it, and not a toolkit.
    """
    if not isinstance(written, list):
        text = None if written is None else references.expand(written, source)
        builder.set(target, text, source)
        return
    own = {*owner.environment, *owner.secrets}
    words = []
    for number, word in enumerate(written):
        place = (*source, number)
        before = written[number - 1] if number else ""
        if not _SCRIPT_BEHIND.fullmatch(before):
            _check_variables(builder, word, own, place)
        substitutes = builder.scope.document.substitutes_at(place)
        words.append((references.expand(word, place), builder.scope.span(place), substitutes))
    if words:
        builder.set_words(target, line_of(words, is_command=is_command), source)


def _check_variables(builder: WireBuilder, word: str, own: Collection[str], path: Path) -> None:
    """Report the job's own variables in a word of a list, where they stay as they are."""
    scope = builder.scope
    for at, name in variables_as_text(word):
        if name in own:
            part = word[at : at + 1] + ("{" if word[at + 1] == "{" else "") + name
            part += "}" if "{" in part and word.startswith("}", at + len(part)) else ""
            span = part_span(scope.document, path, part, word.count(part, 0, at))
            message = f"{part} stays as it is: in a list, only Batch AI's variables have values"
            hint = "write the whole line as one text, or let the program read the variable"
            scope.report("BAI417", message, span, hint)
