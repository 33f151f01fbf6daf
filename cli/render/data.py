"""Data as JSON or YAML: one document, or a list that is written as it is read."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def data_text(data: object, form: str) -> str:
    """Return data as a document in `json` or `yaml`."""
    if form == "json":
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    from bai.compiler.emit.yaml_form import yaml_text

    return yaml_text(data)


def list_texts(
    entries: Iterable[Mapping[str, Any]], form: str, *, is_terminal: bool
) -> Iterator[str]:
    """Iterate over the pieces of a list in `json` or `yaml`.

    Args:
        entries: what is in the list.
        form: `json` or `yaml`.
        is_terminal: whether people read it, so that JSON is indented. Elsewhere each entry is a
            line, which takes a fraction of the time.
    """
    if form == "json":
        return _json_list(entries, indent=2 if is_terminal else None)
    return _yaml_list(entries)


def _json_list(entries: Iterable[Mapping[str, Any]], indent: int | None) -> Iterator[str]:
    encoder = json.JSONEncoder(ensure_ascii=False, indent=indent)
    before = "[\n"
    for entry in entries:
        text = encoder.encode(entry)
        yield before + (textwrap.indent(text, " " * indent) if indent else text)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _yaml_list(entries: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    from bai.compiler.emit.yaml_form import yaml_text

    is_empty = True
    for entry in entries:
        is_empty = False
        yield yaml_text([entry])
    if is_empty:
        yield yaml_text([])
