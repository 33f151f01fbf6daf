"""BAI209: files that are neither specs nor Batch AI's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bai.compiler.batchai.recognition import (
    FILES,
    MOST_ITEMS,
    bare_kind,
    batchai_kind,
    has_part_of_spec,
    is_colonless_spec,
    is_json_schema,
    is_surely,
)
from bai.specs.codes import make_finding
from bai.specs.document import Document
from bai.specs.findings import Finding, Path
from bai.specs.parsed_file import ParsedFile
from bai.specs.syntax.characters import encoding_of
from bai.specs.validation.lists import listed

_SPEC_VERSION: Final = b"bai/"
_OWN_WORDS: Final = (
    *(_SPEC_VERSION, b"Experiment", b"BatchAI"),
    *(b"nodeCount", b"stdOutErrPathPrefix", b"vmSize"),
)
"""Words that files of ours have, and few others."""
_WORDS: Final = (b"properties", *_OWN_WORDS)
"""Each of our files has one of these, also with some of its words misspelt."""


def may_be_ours(content: bytes, words: Sequence[bytes] = _WORDS) -> bool:
    """Return whether a file has a word that files of ours have: a look that needs no parsing."""
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


def unknown_kind(document: Document) -> Finding:
    """Return what a document is instead of a spec or a file for Batch AI, as far as one can say."""
    data = document.data
    at: Path = ()
    message = "this is neither an experiment spec nor a job, cluster or file server file"
    hint = "a spec begins with apiVersion: bai/v1, a file for Batch AI has `properties`"
    if is_json_schema(data):
        at = ("$schema",)
        message = "this is a JSON Schema, which describes other files"
        hint = "a file for Batch AI has the $schema of a job, cluster or file server, or none"
    elif is_colonless_spec(data):
        message = "this spec is text to YAML: its colons have no space behind them"
        hint = "write a space behind each colon, as in apiVersion: bai/v1"
    elif isinstance(data, list) and (item := next(filter(is_surely, data[:MOST_ITEMS]), None)):
        listed_kind = batchai_kind(item)
        what = f"a {FILES[listed_kind][0]} file" if listed_kind else "a spec"
        message, hint = listed(what, document)
    elif kind := bare_kind(data):
        message = f"the keys of a {FILES[kind][0]} file stand outside of `properties`"
        hint = 'put all of them into "properties": {...}'
    elif document.span(()).line > 1 and has_part_of_spec(data):
        message = "a part of a spec stands in a document of its own"
        hint = "remove the --- above it, or write a whole spec below it"
    elif isinstance(data, dict) and "$schema" in data:
        hint = "its $schema, which is not fetched, is none of Batch AI's; nor has it `properties`"
    return make_finding("BAI209", message, document.span(at), hint)
