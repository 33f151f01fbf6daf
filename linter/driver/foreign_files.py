"""BAI209: a file that somebody named, and that is none of those that are checked."""

from __future__ import annotations

from bai.compiler.batchai.recognition import (
    FILES,
    bare_kind,
    has_part_of_spec,
    is_colonless_spec,
    is_json_schema,
)
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Severity


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
    elif kind := bare_kind(data):
        message = f"the keys of a {FILES[kind][0]} file stand outside of `properties`"
        hint = 'put all of them into "properties": {...}'
    elif document.span(()).line > 1 and has_part_of_spec(data):
        message = "a part of a spec stands in a document of its own"
        hint = "remove the --- above it, or write a whole spec below it"
    elif isinstance(data, dict) and "$schema" in data:
        hint = "its $schema, which is not fetched, is none of Batch AI's; nor has it `properties`"
    return Finding("BAI209", Severity.ERROR, message, document.span(at), hint)
