"""The findings of a file that is open in an editor."""

from __future__ import annotations

from pathlib import Path

from bai.linter.driver.linter import Linter, Options
from bai.lsp.language import concerns
from bai.lsp.text import Position, Range
from bai.lsp.tolerant_parser import parse_outlines
from bai.runtime.context import built_in, select
from bai.specs.errors import RuntimeFailure
from bai.specs.findings import Finding, Span

_BYTE_ORDER_MARK = "\ufeff"


def findings(text: str, path: Path) -> tuple[Finding, ...]:
    """Return what `bai lint` finds in a text; nothing if it is no file of bai's.

    Args:
        text: as it is in the editor.
        path: absolute path of the file, which need not exist.
    """
    if not concerns(parse_outlines(text.removeprefix(_BYTE_ORDER_MARK))):
        return ()
    content = text.encode("utf-8", "surrogatepass")
    options = Options(lambda: select(None, path.parent).defaults)
    try:
        return Linter(options).content(content, str(path)).findings
    except RuntimeFailure:
        # A broken bai.toml is reported by the commands: here it counts as none at all.
        options = Options(lambda: built_in(path.parent).defaults, has_settings=False)
        return Linter(options).content(content, str(path)).findings


def range_of(span: Span | None, text: str, path: Path) -> Range:
    """Return the range of a finding; the file's beginning for one that is about no place in it."""
    if span is None or span.file != str(path):
        return Range(Position(0, 0), Position(0, 0))
    # The mark is no character of the first line for the reader.
    shift = 1 if text.startswith(_BYTE_ORDER_MARK) else 0
    first = span.column - 1 + (shift if span.line == 1 else 0)
    last = span.end_column - 1 + (shift if span.end_line == 1 else 0)
    return Range(Position(span.line - 1, first), Position(span.end_line - 1, last))


def message(finding: Finding) -> str:
    """Return the text of a finding for an editor: the message, then the hint."""
    return f"{finding.message} ({finding.hint})" if finding.hint else finding.message
