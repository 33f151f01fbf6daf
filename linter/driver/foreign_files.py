"""BAI209: files that are neither specs nor Batch AI's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from bai.compiler.batchai.recognition import (
    FILES,
    MOST_ITEMS,
    bare_kind,
    batchai_kind,
    has_part_of_spec,
    is_colonless_spec,
    is_json_schema,
    is_spec,
    is_surely,
)
from bai.linter.driver.discovery import is_ours, may_be_ours
from bai.specs.codes import make_finding
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Span
from bai.specs.parsed_file import ParsedFile

_WITH_ITS_SPEC: Final = (
    "lint the spec that runs it: the scripts in its mounts are checked along with it"
)
_IN_YAML: Final = "a spec is YAML that begins with apiVersion: bai/v1"
_LANGUAGES: Final = {
    ".py": ("a Python script", _WITH_ITS_SPEC),
    ".sh": ("a shell script", _WITH_ITS_SPEC),
    ".ipynb": ("a notebook", _IN_YAML),
    ".toml": ("a TOML file", _IN_YAML),
    ".md": ("a page of Markdown", _IN_YAML),
}
"""End of a file's name -> what it is, and what to do."""


def other_language(file: ParsedFile) -> Finding | None:
    """Return the finding for a file that is neither YAML nor JSON, by its name; None if it is."""
    what, hint = _LANGUAGES.get(PurePath(file.name).suffix, (None, None))
    if what is None or file.unreadable or (may_be_ours(file.content) and is_ours(file)):
        return None
    message = f"this is {what}, and bai reads specs and Batch AI's files in YAML or JSON"
    return make_finding("BAI209", message, Span(file.name, 1, 1, 1, 1), hint)


def foreign_documents(file: ParsedFile) -> Iterator[Finding]:
    """Iterate over findings for the documents that are neither specs nor Batch AI's."""
    for document in file.documents:
        data = document.data
        # Unreadable documents are reported as such only.
        if is_spec(data) or batchai_kind(data) or (file.syntax_errors and type(data) is not dict):
            continue
        yield _unknown_kind(document)


def _unknown_kind(document: Document) -> Finding:
    """Return the finding for a document of an unknown kind, with what it seems to be."""
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
        # Few documents are lists, and the models of specs take long to import.
        from bai.specs.validation.kinds import listed

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
