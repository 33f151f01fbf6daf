"""Parser events to documents: without recursion, within bounds, every value with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import yaml

from bai.specs.codes import make_finding
from bai.specs.document import Document
from bai.specs.findings import Finding, Span
from bai.specs.names import nearest
from bai.specs.source.plain_scalar import NULLS, Plain
from bai.specs.syntax.characters import NOT_YAML, forbidden
from bai.specs.syntax.json_events import NotJsonError, json_events, looks_like_json
from bai.specs.syntax.nodes import Node, OpenNode, braced_reference, document_of
from bai.specs.syntax.syntax_errors import (
    explain_json_error,
    explain_syntax_error,
    explain_wrong_key,
)

MAX_DEPTH = 100
MAX_NODES = 1_000_000
"""How many keys and values a file may have as it is written."""
MAX_HINTS = 100
"""How many unknown anchors are compared with all known ones."""
MAX_COPIES = 100_000
"""How many more values a document may get by its aliases and merges."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SURROGATE = re.compile("[\ud800-\udfff]")
_TAG = "tag:yaml.org,2002:"
_SCALAR_TAGS = {
    "!": str,
    f"{_TAG}str": str,
    f"{_TAG}null": Plain,
    f"{_TAG}int": Plain,
    f"{_TAG}float": Plain,
    f"{_TAG}bool": Plain,
}
_MAPPING_TAGS = frozenset({"!", f"{_TAG}map"})
_SEQUENCE_TAGS = frozenset({"!", f"{_TAG}seq"})


def compose(text: str, file: str) -> tuple[tuple[Document, ...], tuple[Finding, ...]]:
    """Build the documents of a text, and the findings of group 1 about it."""
    is_called_json = file.endswith(".json")
    if looks_like_json(text) or (is_called_json and text.lstrip().startswith(("//", "/*"))):
        try:
            return _Composer(text, file).compose(json_events(text))
        except NotJsonError as error:
            if is_called_json:
                return (), (explain_json_error(text, error.stop, file),)
    if finding := forbidden(NOT_YAML, text, file):
        return (), (finding,)
    return _Composer(text, file).compose(_yaml_events(text))


def _yaml_events(text: str) -> Iterator[Any]:
    loader = _LOADER(text)
    try:
        while not isinstance(event := loader.get_event(), yaml.StreamEndEvent):
            yield event
    finally:
        loader.dispose()


class _UnreadableError(Exception):
    """A file that can't be read any further."""


class _Composer:
    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.findings: list[Finding] = []
        self.nodes = 0
        self.merged = 0
        self.anchors: dict[str, Node | None] = {}
        self.stack: list[OpenNode] = []
        self.braces: Span | None = None
        """The last `{{...}}` that is no YAML for what it is meant to be."""

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def compose(self, events: Iterable[Any]) -> tuple[tuple[Document, ...], tuple[Finding, ...]]:
        documents: list[Document] = []
        try:
            for event in events:
                root = self._take(event)
                # An empty document, such as one behind a last `---`, is none.
                if root and (root.data is not None or root.span.column < root.span.end_column):
                    documents.append(document_of(root, self.file, self.text))
        except yaml.MarkedYAMLError as error:
            found = explain_syntax_error(error, self.lines, self.file)
            end = (self.braces.end_line, self.braces.end_column) if self.braces else None
            if not (found.span and end == (found.span.line, found.span.column)):
                self.findings.append(found)
        except _UnreadableError:
            pass
        if not documents and not self.findings:
            message, hint = "the file is empty", "begin with apiVersion: bai/v1"
            self._report("BAI101", message, Span(self.file, 1, 1, 1, 1), hint)
        return tuple(documents), tuple(self.findings)

    def _take(self, event: Any) -> Node | None:
        """Take one event; return the root value if it completes a document."""
        match event:
            case yaml.DocumentStartEvent():
                self.anchors = {}
                return None
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._open(event)
                return None
            case yaml.AliasEvent():
                value = self._alias(event)
                end = self._span(event)
            case yaml.ScalarEvent():
                value = self._scalar(event)
                end = value.span
                if event.anchor:
                    self.anchors[event.anchor] = value
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                value = self._close(event)
                end = value.span
            case _:
                return None
        if not self.stack:
            return value
        self.stack[-1].items.append(value)
        self.stack[-1].end = (end.end_line, end.end_column)
        return None

    def _open(self, event: Any) -> None:
        self._count(event)
        mapping = isinstance(event, yaml.MappingStartEvent)
        if event.tag and event.tag not in (_MAPPING_TAGS if mapping else _SEQUENCE_TAGS):
            self._report_tag(event)
        if len(self.stack) >= MAX_DEPTH:
            self._report("BAI107", f"nested deeper than {MAX_DEPTH} levels", self._span(event))
            raise _UnreadableError
        if event.anchor:
            self.anchors[event.anchor] = None
        self.stack.append(OpenNode(event))

    def _close(self, event: Any) -> Node:
        opened = self.stack.pop()
        first, last = opened.start.start_mark, event.end_mark
        # A block ends where the next token starts, which may be pages below its last item.
        line, column = (last.line + 1, last.column + 1)
        if not opened.start.flow_style and opened.end:
            line, column = opened.end
        span = Span(self.file, first.line + 1, first.column + 1, line, column)
        if isinstance(event, yaml.MappingEndEvent):
            value = self._mapping(opened.items, span)
        else:
            value = self._sized(Node(opened.items, span), opened.items)
        if opened.start.anchor:
            self.anchors[opened.start.anchor] = value
        return value

    def _scalar(self, event: Any) -> Node:
        self._count(event)
        kind: type[str] = str if event.style else Plain
        if event.tag in _SCALAR_TAGS:
            kind = _SCALAR_TAGS[event.tag]
        elif event.tag:
            self._report_tag(event)
        span = self._span(event)
        if event.style in ("|", ">") and span.end_column == 1 and span.end_line > span.line:
            span = self._without_blank_end(span)
        text = event.value
        if kind is Plain and text in NULLS:
            return Node(None, span)
        if not text.isascii() and (match := _SURROGATE.search(text)):
            message = f"the escape \\u{ord(match[0]):04x} is half a character"
            self._report("BAI103", message, span, "write both halves, or the character itself")
            text = _SURROGATE.sub("\ufffd", text)
        return Node(kind(text), span)

    def _without_blank_end(self, span: Span) -> Span:
        last = span.end_line - 1
        while last > span.line and not self.lines[last - 1].strip():
            last -= 1
        end = len(self.lines[last - 1].rstrip("\r")) + 1
        return Span(self.file, span.line, span.column, last, end)

    def _alias(self, event: Any) -> Node:
        self._count(event)
        name, span = event.anchor, self._span(event)
        value = self.anchors.get(name)
        if value is not None:
            return replace(value, alias=span)
        if name in self.anchors:
            self._report("BAI106", f"the anchor &{name} contains itself", span)
        else:
            # Comparing names takes long, and the first hints are enough.
            near = nearest(name, self.anchors) if len(self.findings) < MAX_HINTS else None
            hint = f"did you mean *{near}?" if near else "put text that begins with * in quotes"
            self._report("BAI106", f"the anchor &{name} is not defined above", span, hint)
        return Node({}, span, keys={})

    def _mapping(self, items: list[Node], span: Span) -> Node:
        if reference := braced_reference(items):
            message = f"{{{{{reference}}}}} is no reference: one begins with a dollar"
            quote = '"' if any(opened.start.flow_style for opened in self.stack) else ""
            hint = f"write {quote}${{{reference}}}{quote}"
            self._report("BAI104", message, span, hint)
            self.braces = span
            return Node(Plain(f"${{{reference}}}"), span)
        data: dict[str, Node] = {}
        keys: dict[str, Span] = {}
        merged: list[Node] = []
        for key, value in zip(items[::2], items[1::2], strict=True):
            if key.data == "<<" and isinstance(key.data, Plain):
                merged += value.data if isinstance(value.data, list) else [value]
                continue
            if not isinstance(key.data, str):
                line = self.lines[key.span.line - 1]
                written = line[key.span.column - 1 : key.span.end_column - 1]
                message, hint = explain_wrong_key(key.data, written)
                self._report("BAI104", message, key.span, hint)
                continue
            name = str(key.data)
            if name in data:
                if name == "apiVersion" and "kind" in data and key.span.column == span.column:
                    # All keys from here on would stand here twice.
                    message = "a second document begins here"
                    self._report("BAI109", message, key.span, "write --- above it")
                    break
                hint = f"the first one is on line {keys[name].line}"
                self._report("BAI109", f"the key {name!r} stands here twice", key.span, hint)
                continue
            data[name], keys[name] = value, key.span
        for source in merged:
            self._merge(data, keys, source)
        return self._sized(Node(data, span, keys=keys), data.values())

    def _merge(self, data: dict[str, Node], keys: dict[str, Span], source: Node) -> None:
        if source.keys is None:
            self._report("BAI104", "`<<` takes a mapping or a list of mappings", source.span)
            return
        # Merging costs time for each key even where the result stays small.
        self.merged += len(source.keys)
        for name, span in source.keys.items():
            if name not in data:
                data[name], keys[name] = source.data[name], span

    def _sized(self, value: Node, parts: Iterable[Node]) -> Node:
        for part in parts:
            value.size += part.size
            value.depth = max(value.depth, part.depth)
        value.depth += 1
        if max(value.size - self.nodes, self.merged) > MAX_COPIES:
            message = f"the aliases make more than {MAX_COPIES:,} further values"
            self._report("BAI107", message, value.span, "use fewer aliases of large parts")
            raise _UnreadableError
        if value.depth > MAX_DEPTH:
            message = f"nested deeper than {MAX_DEPTH} levels once the aliases are expanded"
            self._report("BAI107", message, value.span)
            raise _UnreadableError
        return value

    def _count(self, event: Any) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self._report("BAI107", f"more than {MAX_NODES:,} keys and values", self._span(event))
            raise _UnreadableError

    def _report_tag(self, event: Any) -> None:
        shown = event.tag.replace(_TAG, "!!")
        message, hint = f"the tag {shown} has no meaning here", "write the value without it"
        self._report("BAI105", message, self._span(event), hint)

    def _span(self, event: Any) -> Span:
        first, last = event.start_mark, event.end_mark
        return Span(self.file, first.line + 1, first.column + 1, last.line + 1, last.column + 1)

    def _report(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        self.findings.append(make_finding(code, message, span, hint))
