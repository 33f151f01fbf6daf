"""Comments in an imported spec: suppressions of accepted errors, and gaps to fill in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bai.compiler.compilation import Defaults
from bai.compiler.compile import compile_spec
from bai.compiler.importer.check import Review
from bai.compiler.importer.origins import origin_of, walk
from bai.compiler.importer.placeholders import unfilled
from bai.specs.document import Document
from bai.specs.findings import Path, errors
from bai.specs.load import load_document
from bai.specs.placeholders import GAP
from bai.specs.syntax.reader import read

_SECRETS: Final = "BAI6"
"""Nothing but a person may accept a secret in plain text."""


def gaps(spec: Any) -> dict[Path, str]:
    """Return the places of gaps in the data of a spec, with the placeholders of the files."""
    found = {}
    for path, value in walk(spec):
        if value == GAP and (origin := origin_of(value)):
            text = str(origin.document.value(origin.path))
            # In an address, the share's name is the gap.
            parts = list(unfilled(text.rpartition("/")[2])) or list(unfilled(text))
            found[path] = " ".join(parts)
    return found


def annotated(text: str, missing: Mapping[Path, str], defaults: Defaults, review: Review) -> str:
    """Return the text of a spec with its comments, each above the line that it is about.

    Errors of rules are suppressed, since Batch AI accepted the imported files; other errors make
    an import impossible.

    Args:
        text: the spec.
        missing: place in the spec -> what to fill in there.
        defaults: values for what the spec leaves out.
        review: checks the compiled resources.
    """
    [document], _ = read(text, "spec")
    starts = sorted(
        {span.line for spans in (document.keys, document.values) for span in spans.values()}
    )
    comments = {document.span(path).line: f"fill in: {what}" for path, what in missing.items()}
    accepted: dict[int, set[str]] = {}
    for line, code in _accepted(document, defaults, review):
        # The comment about a text of several lines stands above all of it.
        accepted.setdefault(starts[bisect_right(starts, line) - 1], set()).add(code)
    for line, codes in accepted.items():
        comments.setdefault(
            line, f"bai: ignore[{', '.join(sorted(codes))}] as in the imported file"
        )
    return _commented(text, comments)


def _accepted(document: Document, defaults: Defaults, review: Review) -> Iterator[tuple[int, str]]:
    """Iterate over the lines and the codes of the errors that rules find in a spec."""
    [spec] = load_document(document, "/").specs
    compilation = compile_spec(spec, defaults)
    for finding in errors(review.spec(spec, compilation).findings):
        is_of_rule = finding not in compilation.findings
        if is_of_rule and finding.span and not finding.code.startswith(_SECRETS):
            yield finding.span.line, finding.code


def _commented(text: str, comments: Mapping[int, str]) -> str:
    lines = []
    for number, line in enumerate(text.split("\n"), start=1):
        if comment := comments.get(number):
            indent = " " * (len(line) - len(line.lstrip(" ")))
            lines.append(f"{indent}# {comment}")
        lines.append(line)
    return "\n".join(lines)
