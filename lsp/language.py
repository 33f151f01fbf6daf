"""The language of a document: specs, or one of Batch AI's files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bai.compiler.batchai.recognition import SCHEMA_KINDS, batchai_kind, is_spec, is_surely
from bai.compiler.resources.ids import Kind
from bai.lsp.outline import Outline
from bai.lsp.text import Position
from bai.schemas.fields import Grammar, batchai_grammar, spec_grammar


@dataclass(frozen=True, slots=True)
class Language:
    """The language of a document."""

    kind: Kind | None
    """Which of Batch AI's files it is; None for a spec."""
    grammar: Grammar


def language_of(outline: Outline) -> Language | None:
    """Return the language of a document; None if it is not bai's.

    One that is empty, or has only the beginning of a first key, may become a spec.
    """
    if not outline.keys:
        return None if len(outline.scalars) > 1 else Language(None, spec_grammar())
    data = _first_levels(outline)
    if not is_surely(data):
        return None
    if is_spec(data):
        return Language(None, spec_grammar(outline.text_at(("kind",))))
    kind = batchai_kind(data)
    return Language(kind, batchai_grammar(SCHEMA_KINDS[kind])) if kind else None


def concerns(outlines: Sequence[Outline]) -> bool:
    """Return whether any document of a file is bai's."""
    return any(outline.keys and language_of(outline) for outline in outlines)


def outline_at(outlines: Sequence[Outline], position: Position) -> Outline:
    """Return the outline of the document that a position is in."""
    before = [outline for outline in outlines if outline.first_line <= position.line]
    return before[-1] if before else outlines[0]


def _first_levels(outline: Outline) -> dict[str, Any]:
    """Return the outermost two levels of a document as data, enough to recognise it."""
    data: dict[str, Any] = {}
    for key in outline.keys:
        match key.path:
            case (str(name),):
                data.setdefault(name, outline.text_at((name,)))
            case (str(first), str(second)):
                if not isinstance(data.get(first), dict):
                    data[first] = {}
                data[first].setdefault(second, outline.text_at((first, second)))
    return data
