"""Completion at a cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bai.compiler.batchai import vm_sizes
from bai.compiler.batchai.variables import CLUSTER_ROOT, DESCRIPTIONS, GROUPS, TOOLKITS, describe
from bai.compiler.resources.ids import Kind
from bai.lsp.declarations import declared, machine_kind, machines
from bai.lsp.hover import describe_size
from bai.lsp.language import Language, language_of, outline_at
from bai.lsp.outline import Outline, Place, Spot
from bai.lsp.text import Position, Range, split_lines
from bai.lsp.tolerant_parser import parse_outlines
from bai.schemas.fields import Field
from bai.specs.findings import Path

_REFERENCE_START = re.compile(r"\$\{?[\w.-]*$")
_KEY_GOES_ON = re.compile(r"[\w$]*(['\"]?)\s*:")
_VALUE_GOES_ON = re.compile(r"[\w.-]*")


class Sort(StrEnum):
    """What a suggestion is."""

    KEY = "key"
    VALUE = "value"
    VARIABLE = "variable"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One thing that can be written."""

    label: str
    text: str
    """What takes the place of `range`."""
    range: Range
    """On the cursor's line, around the cursor."""
    sort: Sort
    detail: str = ""
    description: str = ""
    rank: int = 0
    """Suggestions of a lower rank come first; within one, they have an order already."""


@dataclass(frozen=True, slots=True)
class _Cursor:
    """Where something is to be written."""

    outline: Outline
    language: Language
    place: Place
    position: Position
    line: str

    @property
    def before(self) -> str:
        return self.line[: self.position.column]

    @property
    def after(self) -> str:
        return self.line[self.position.column :]

    def range(self, start: int, more: int = 0) -> Range:
        """Return the range from a column to `more` characters behind the cursor."""
        number, column = self.position.line, self.position.column
        return Range.on_line(number, min(start, column), column + more)


def complete(text: str, position: Position) -> list[Suggestion]:
    """Return the suggestions at a position, the most useful first.

    Args:
        text: the text of the file, valid or not.
        position: the cursor's, inside of the text.
    """
    lines = split_lines(text)
    line = lines[position.line]
    outline = outline_at(parse_outlines(text), position)
    language = language_of(outline)
    if language is None:
        return []
    typed = "\n".join([*lines[: position.line], line[: position.column]])
    place = parse_outlines(typed)[-1].place
    cursor = _Cursor(outline, language, place, position, line)
    return sorted(_suggestions(cursor), key=lambda each: each.rank)


def _suggestions(cursor: _Cursor) -> Iterator[Suggestion]:
    place = cursor.place
    if place.spot is Spot.NOTHING:
        return
    if place.spot is not Spot.KEY and _REFERENCE_START.search(cursor.before):
        yield from _references(cursor)
        return
    if place.spot in (Spot.KEY, Spot.OPEN):
        yield from _keys(cursor)
    if place.spot in (Spot.VALUE, Spot.OPEN) or (place.spot is Spot.TEXT and place.quote):
        yield from _values(cursor)


def _keys(cursor: _Cursor) -> Iterator[Suggestion]:
    place = cursor.place
    present = cursor.outline.keys_of(place.path)
    others = [name for name, key in present.items() if cursor.position not in key.range]
    for field in cursor.language.grammar.keys(place.path, others):
        if field.name == "$schema" and not cursor.outline.is_json:
            continue
        name, needed = field.name, "required, " if field.required else ""
        rank = 0 if field.required else 1 if field.alternative else 2
        text, where = _key_edit(cursor, field)
        detail = f"{needed}{field.type}"
        yield Suggestion(name, text, where, Sort.KEY, detail, field.description, rank)


def _key_edit(cursor: _Cursor, field: Field) -> tuple[str, Range]:
    """Return the text for a key, and the range that it replaces."""
    place = cursor.place
    quote = place.quote or ('"' if cursor.outline.is_json else "")
    start = place.start.column - len(place.quote)
    if found := _KEY_GOES_ON.match(cursor.after):
        # The key is there, and its colon too: only its name changes.
        end = found.end(1) if place.quote else len(found[0].rstrip(": "))
        return f"{quote}{field.name}{quote}", cursor.range(start, end)
    is_block = field.is_nested and not place.flow
    closing = len(quote) if place.quote and cursor.after.startswith(place.quote) else 0
    colon = ":" if is_block else ": "
    return f"{quote}{field.name}{quote}{colon}", cursor.range(start, closing)


def _values(cursor: _Cursor) -> Iterator[Suggestion]:
    path = cursor.place.path
    field = cursor.language.grammar.field(path)
    if field is None:
        return
    for value in field.values:
        is_text = field.is_text or value not in ("true", "false")
        yield _value(cursor, value, "", is_text=is_text)
    if path[-1] == "vmSize":
        for size in filter(None, map(vm_sizes.find, vm_sizes.names())):
            if size.has_clusters or not _is_in_cluster(cursor):
                yield _value(cursor, size.name, describe_size(size), is_text=True)
    elif cursor.language.kind is None and path[:2] == ("spec", "jobs") and path[3:] == ("cluster",):
        for name in machines(cursor.outline, "clusters"):
            yield _value(cursor, name, "cluster of this file", is_text=True)


def _value(cursor: _Cursor, value: str, detail: str, *, is_text: bool) -> Suggestion:
    place = cursor.place
    quote = place.quote or ('"' if cursor.outline.is_json and is_text else "")
    start = place.start.column - len(place.quote)
    found = _VALUE_GOES_ON.match(cursor.after)
    more = found.end() if found else 0
    if place.quote and cursor.after[more:].startswith(place.quote):
        more += 1
    # `key:` takes a space before its value.
    space = " " if cursor.line[:start].endswith(":") and not cursor.outline.is_json else ""
    text = f"{space}{quote}{value}{quote}"
    return Suggestion(value, text, cursor.range(start, more), Sort.VALUE, detail)


def _references(cursor: _Cursor) -> Iterator[Suggestion]:
    found = _REFERENCE_START.search(cursor.before)
    assert found
    path = cursor.place.path
    braces = found[0].startswith("${")
    tail = re.match(r"[\w.-]*\}?", cursor.after)
    more = tail.end() if tail and braces else 0
    where = cursor.range(found.start(), more)
    # Unquoted braces end a value inside of brackets.
    if cursor.language.kind is None and not (cursor.place.flow and not cursor.place.quote):
        for group in ("mounts", "inputs", "outputs", "parameters"):
            for name in declared(cursor.outline, cursor.language, path, group):
                text = f"${{{group}.{name}}}"
                yield Suggestion(text, text, where, Sort.REFERENCE, f"of the {group} declared here")
        for scope in ("job", "cluster") if path[:2] == ("spec", "jobs") else ():
            for name in declared(cursor.outline, cursor.language, path, f"{scope}.mounts"):
                text = f"${{{scope}.mounts.{name}}}"
                detail = f"of the mounts of the {scope}"
                yield Suggestion(text, text, where, Sort.REFERENCE, detail, rank=2)
    for name, description in _variables(cursor, path):
        text = f"${{{name}}}" if braces else f"${name}"
        yield Suggestion(text, text, where, Sort.VARIABLE, description=description, rank=1)


def _variables(cursor: _Cursor, path: Path) -> Iterator[tuple[str, str]]:
    """Iterate over (name, description) of the variables that a text at a path can use."""
    outline, language = cursor.outline, cursor.language
    if _is_in_cluster(cursor):
        yield CLUSTER_ROOT, DESCRIPTIONS[CLUSTER_ROOT]
        return
    for name, description in DESCRIPTIONS.items():
        if name not in TOOLKITS or _has_toolkit(outline, language, path, TOOLKITS[name]):
            yield name, description
    for group, prefix in GROUPS.items():
        for id in declared(outline, language, path, group):
            yield prefix + id, describe(prefix + id) or ""


def _is_in_cluster(cursor: _Cursor) -> bool:
    """Return whether something is written into a cluster."""
    in_spec = cursor.place.path[:2] == ("spec", "clusters")
    in_spec = in_spec or machine_kind(cursor.outline) == "clusters"
    return cursor.language.kind is Kind.CLUSTER or in_spec


def _has_toolkit(
    outline: Outline, language: Language, path: Path, toolkits: tuple[str, ...]
) -> bool:
    """Return whether the job at a path has one of some toolkits, by their names on the wire."""
    if language.kind is None:
        keys = outline.keys_of(path[:3])
        return any(name.removesuffix("Settings") in keys for name in toolkits)
    return not outline.keys_of(("properties",)).keys().isdisjoint(toolkits)
