"""Recognise files for bai: files found in folders are checked only if they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bai.compiler.batchai.recognition import is_surely
from bai.specs.parsed_file import ParsedFile
from bai.specs.syntax.characters import encoding_of

_SPEC_VERSION: Final = b"bai/"
_OWN_WORDS: Final = (
    *(_SPEC_VERSION, b"Experiment", b"BatchAI"),
    *(b"nodeCount", b"stdOutErrPathPrefix", b"vmSize"),
)
"""Words that files of ours have, and few others."""
_WORDS: Final = (b"properties", *_OWN_WORDS)
"""Each of our files has one of these, also with some of its words misspelt."""


def may_be_ours(content: bytes, words: Sequence[bytes] = _WORDS) -> bool:
    """Return whether a file has a word that bai's files have: a prefilter without parsing."""
    if encoding_of(content) != "utf-8":
        # Every other byte of ASCII in UTF-16 is zero.
        content = content.replace(b"\0", b"")
    return any(word in content for word in words)


def is_ours(file: ParsedFile) -> bool:
    """Return whether a file is certainly for bai, and for no other tool with similar keys."""
    # A spec is read with places anyway.
    data: Sequence[Any] | None = None if _SPEC_VERSION in file.content else file.data
    if data is None:
        data = [document.data for document in file.documents]
    return any(map(is_surely, data)) if data else may_be_ours(file.content, _OWN_WORDS)
