"""YAML and JSON to documents that know where everything stands.

The parser is libyaml's, at C speed; `bai.specs.syntax.composer` gives the meaning: YAML 1.2, no
tags, no duplicate keys, bounded aliases, depth and size. Nothing in a file can make `read` raise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from bai.specs.codes import make_finding
from bai.specs.document import Document
from bai.specs.findings import Finding, Span
from bai.specs.syntax.characters import MAX_BYTES, NOT_TEXT, character_span, encoding_of, forbidden
from bai.specs.syntax.composer import compose

# A lone carriage return is a line break, as in YAML. Replacing it keeps all places.
_LONE_RETURN = re.compile("\r(?!\n)")
_MOST: Final = 200
"""Findings of one code that are returned: a file with more is broken in one way all over."""


def read(text: str | bytes, file: str) -> tuple[tuple[Document, ...], tuple[Finding, ...]]:
    """Parse every document of a file.

    Args:
        text: the file's content; bytes are decoded as UTF-8 (or UTF-16 with a byte order mark).
        file: the name that spans carry.

    Returns:
        The documents that could be read, and findings of group 1 (syntax).
    """
    if len(text) > MAX_BYTES:
        message = f"the file is larger than {MAX_BYTES >> 20} MiB"
        return (), (make_finding("BAI108", message, Span(file, 1, 1, 1, 1)),)
    if isinstance(text, bytes):
        encoding = encoding_of(text)
        try:
            text = text.decode(encoding)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode(encoding, "replace")
            before = _LONE_RETURN.sub("\n", before.removeprefix("\ufeff"))
            return (), (_undecodable(before, encoding, file),)
    text = _LONE_RETURN.sub("\n", text.removeprefix("\ufeff"))
    if finding := forbidden(NOT_TEXT, text, file):
        return (), (finding,)
    documents, findings = compose(text, file)
    return documents, tuple(_first_of_each(findings))


def _first_of_each(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Iterate over the first findings of each code."""
    counts = Counter[str]()
    for finding in findings:
        counts[finding.code] += 1
        if counts[finding.code] <= _MOST:
            yield finding


def _undecodable(before: str, encoding: str, file: str) -> Finding:
    span = character_span(before, len(before), file)
    message = f"the file is not {encoding.upper()} text"
    return make_finding("BAI102", message, span, "save it with UTF-8 encoding")
