"""YAML (and JSON, which is YAML) to documents that know where everything stands.

The parser is libyaml's, at C speed; the meaning is given here: YAML 1.2, no tags, no duplicate
keys, bounded aliases and depth. Nothing in a file can make `read` raise.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Severity, Span
from bai.specs.scalars import NULLS, Plain

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 100
MAX_NODES = 100_000
"""How many values a document may have once its aliases are expanded."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATES = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_CORE_TAGS = {
    "tag:yaml.org,2002:str": str,
    "tag:yaml.org,2002:int": Plain,
    "tag:yaml.org,2002:float": Plain,
    "tag:yaml.org,2002:bool": Plain,
}


@dataclass(slots=True)
class _Value:
    """A parsed value with its span; `data` of a container holds `_Value`s until the end."""

    data: Any
    span: Span
    size: int = 1
    depth: int = 0
    keys: dict[str, Span] = field(default_factory=dict)


class _RefusedError(Exception):
    """A document that can't be read any further."""

    def __init__(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        super().__init__(message)
        self.finding = Finding(code, Severity.ERROR, message, span, hint)


def read(text: str | bytes, file: str) -> tuple[tuple[Document, ...], tuple[Finding, ...]]:
    """Parse every document of a file.

    Args:
        text: the file's content; bytes are decoded as UTF-8 (or UTF-16 with a byte order mark).
        file: the name that spans carry.

    Returns:
        The documents that could be read, and findings of group 1 (syntax).
    """
    start = Span(file, 1, 1, 1, 1)
    if len(text) > MAX_BYTES:
        return (), (_error("BAI108", f"the file is larger than {MAX_BYTES >> 20} MiB", start),)
    try:
        decoded = _decode(text, file)
        _check_characters(decoded, file)
    except _RefusedError as refused:
        return (), (refused.finding,)
    composer = _Composer(decoded, file)
    documents = composer.documents()
    return tuple(documents), tuple(composer.findings)


def _error(code: str, message: str, span: Span, hint: str | None = None) -> Finding:
    return Finding(code, Severity.ERROR, message, span, hint)


def _decode(text: str | bytes, file: str) -> str:
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    encoding = "utf-16" if text[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return text.decode(encoding)
    except UnicodeDecodeError as error:
        before = text[: error.start].decode(encoding, "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        span = Span(file, line, column, line, column + 1)
        raise _RefusedError(
            "BAI102", "the file is not UTF-8 text", span, "save it with UTF-8 encoding"
        ) from None


def _check_characters(text: str, file: str) -> None:
    if match := _FORBIDDEN.search(text):
        at = match.start()
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        raise _RefusedError(
            "BAI103",
            f"the character U+{ord(match[0]):04X} can't stand in YAML",
            Span(file, line, column, line, column + 1),
            "remove it, or write it as an escape in a double-quoted string",
        )


class _Composer:
    """Builds documents from parser events, without recursion."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.findings: list[Finding] = []

    def documents(self) -> list[Document]:
        found: list[Document] = []
        loader = None
        # JSON escapes characters beyond U+FFFF as surrogate pairs, which libyaml rejects.
        text = self.text
        if text.lstrip()[:1] in ("{", "["):
            text = _SURROGATES.sub(
                lambda match: f"\\U{ord(json.loads(chr(34) + match[0] + chr(34))):08X}", text
            )
        try:
            loader = _LOADER(text)
            while (document := self._document(loader)) is not None:
                found.append(document)
        except yaml.MarkedYAMLError as error:
            self.findings.append(self._syntax_error(error))
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            self.findings.append(_error("BAI101", f"not YAML: {error}", self._point(0, 0)))
        except _RefusedError as refused:
            self.findings.append(refused.finding)
        finally:
            if loader is not None:
                loader.dispose()
        if not found and not self.findings:
            message, hint = "the file is empty", "begin with `apiVersion: bai/v1`"
            self.findings.append(_error("BAI101", message, self._point(0, 0), hint))
        return found

    def _document(self, loader: Any) -> Document | None:
        """Build the next document, or return None at the end of the stream."""
        anchors: dict[str, _Value | None] = {}
        # A stack of open containers: (span of the start, anchor, collected values).
        stack: list[tuple[Any, str | None, list[_Value]]] = []
        started = False
        while True:
            event = loader.get_event()
            if event is None or isinstance(event, yaml.StreamEndEvent):
                return None
            if isinstance(event, yaml.DocumentStartEvent):
                started = True
                continue
            if not started or isinstance(event, yaml.StreamStartEvent):
                continue
            if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                self._check_tag(event)
                if len(stack) >= MAX_DEPTH:
                    message = f"nested deeper than {MAX_DEPTH} levels"
                    raise _RefusedError("BAI107", message, self._span(event))
                if event.anchor:
                    anchors[event.anchor] = None
                stack.append((event, event.anchor, []))
                continue
            if isinstance(event, yaml.AliasEvent):
                value = self._alias(event, anchors)
            elif isinstance(event, yaml.ScalarEvent):
                value = self._scalar(event)
                if event.anchor:
                    anchors[event.anchor] = value
            else:
                opened, anchor, items = stack.pop()
                span = self._span(opened, event)
                if isinstance(event, yaml.MappingEndEvent):
                    value = self._mapping(items, span)
                else:
                    value = self._sized(_Value(items, span), items)
                if anchor:
                    anchors[anchor] = value
            if stack:
                stack[-1][2].append(value)
                continue
            self._skip_end(loader)
            return self._finish(value)

    @staticmethod
    def _skip_end(loader: Any) -> None:
        while not isinstance(loader.get_event(), yaml.DocumentEndEvent):
            pass

    def _scalar(self, event: Any) -> _Value:
        kind = self._check_tag(event)
        span = self._span(event)
        if kind is None:
            kind = Plain if event.style is None or event.style == "" else str
        text = event.value
        if kind is Plain and text in NULLS:
            return _Value(None, span)
        return _Value(kind(text), span)

    def _check_tag(self, event: Any) -> type[str] | None:
        if event.tag is None:
            return None
        if event.tag == "!":
            return str
        if event.tag in _CORE_TAGS:
            return _CORE_TAGS[event.tag]
        if event.tag in ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
            return None
        shown = event.tag.replace("tag:yaml.org,2002:", "!!")
        message, hint = f"the tag {shown} has no meaning here", "write the value without a tag"
        raise _RefusedError("BAI105", message, self._span(event), hint)

    def _alias(self, event: Any, anchors: dict[str, _Value | None]) -> _Value:
        span = self._span(event)
        if event.anchor not in anchors:
            known = ", ".join(f"&{name}" for name in anchors) or "none"
            message = f"the anchor &{event.anchor} is not defined above"
            raise _RefusedError("BAI106", message, span, f"anchors so far: {known}")
        value = anchors[event.anchor]
        if value is None:
            raise _RefusedError("BAI106", f"the anchor &{event.anchor} contains itself", span)
        return value

    def _sized(self, value: _Value, parts: list[_Value]) -> _Value:
        value.size = 1 + sum(part.size for part in parts)
        value.depth = 1 + max((part.depth for part in parts), default=0)
        if value.size > MAX_NODES:
            message = f"more than {MAX_NODES:,} values once the aliases are expanded"
            raise _RefusedError("BAI107", message, value.span, "use fewer aliases of large parts")
        if value.depth > MAX_DEPTH:
            message = f"nested deeper than {MAX_DEPTH} levels once the aliases are expanded"
            raise _RefusedError("BAI107", message, value.span)
        return value

    def _mapping(self, items: list[_Value], span: Span) -> _Value:
        data: dict[str, _Value] = {}
        mapping = _Value(data, span)
        merged: list[_Value] = []
        for key, value in zip(items[::2], items[1::2], strict=True):
            if key.data == "<<" and isinstance(key.data, Plain):
                merged.append(value)
                continue
            if not isinstance(key.data, str):
                message = "a key must be a string"
                if isinstance(key.data, dict) and key.span.line == key.span.end_line:
                    hint = "braces that should be text need quotes"
                else:
                    hint = "write one name before the colon"
                self.findings.append(_error("BAI104", message, key.span, hint))
                continue
            name = str(key.data)
            if name in data:
                first = mapping.keys[name]
                message = f"the key {name!r} stands here twice"
                hint = f"the first one is on line {first.line}"
                self.findings.append(_error("BAI109", message, key.span, hint))
                continue
            data[name] = value
            mapping.keys[name] = key.span
        for source in merged:
            self._merge(mapping, source)
        return self._sized(mapping, list(data.values()))

    def _merge(self, mapping: _Value, source: _Value) -> None:
        sources = source.data if isinstance(source.data, list) else [source]
        for part in sources:
            if not isinstance(part.data, dict):
                message = "`<<` takes a mapping or a list of mappings"
                self.findings.append(_error("BAI104", message, part.span))
                continue
            for name, value in part.data.items():
                if name not in mapping.data:
                    mapping.data[name] = value
                    mapping.keys[name] = part.keys[name]

    def _finish(self, root: _Value) -> Document:
        values: dict[Path, Span] = {}
        keys: dict[Path, Span] = {}

        def plain(value: _Value, path: Path) -> Any:
            values[path] = value.span
            if isinstance(value.data, dict):
                for name, span in value.keys.items():
                    keys[(*path, name)] = span
                return {name: plain(part, (*path, name)) for name, part in value.data.items()}
            if isinstance(value.data, list):
                return [plain(part, (*path, index)) for index, part in enumerate(value.data)]
            return value.data

        data = plain(root, ())
        return Document(self.file, self.text, data, values, keys)

    def _point(self, line: int, column: int) -> Span:
        return Span(self.file, line + 1, column + 1, line + 1, column + 1)

    def _span(self, event: Any, end: Any = None) -> Span:
        first, last = event.start_mark, (end or event).end_mark
        return Span(self.file, first.line + 1, first.column + 1, last.line + 1, last.column + 1)

    def _syntax_error(self, error: yaml.MarkedYAMLError) -> Finding:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line, mark.column) if mark else (0, 0)
        lines = self.text.splitlines()
        if line >= len(lines) and lines:
            line, column = len(lines) - 1, len(lines[-1])
        shown = lines[line] if line < len(lines) else ""
        message, hint = _explain(error, shown)
        return _error("BAI101", message, self._point(line, column), hint)


def _explain(error: yaml.MarkedYAMLError, line: str) -> tuple[str, str | None]:
    """Put the parser's complaint into words, with its most likely cause."""
    problem = error.problem or "can't be read"
    context = error.context or ""
    opened = f" (opened on line {error.context_mark.line + 1})" if error.context_mark else ""
    if "\t" in line[: len(line) - len(line.lstrip())] or "'\\t'" in problem:
        return "a tab can't indent YAML", "indent with spaces"
    if "quoted scalar" in context:
        return f"a quoted string does not end{opened}", "close the quote"
    if "flow mapping" in context:
        return f"a `{{` is not closed or a comma is missing{opened}", "add `}` or `,`"
    if "flow sequence" in context:
        return f"a `[` is not closed or a comma is missing{opened}", "add `]` or `,`"
    if "mapping values are not allowed" in problem:
        return "a `:` where no key can stand", "quote values that contain `: `, or mend the indent"
    if "could not find expected ':'" in problem:
        return "a key without its `:`", "write `key: value`, with a space after the colon"
    if "block mapping" in context or "block collection" in context:
        return "the indent does not fit the lines above", "align the keys of one mapping"
    if "cannot start any token" in problem:
        return f"YAML has no use for this: {problem}", "put the value in quotes"
    return f"{context + ': ' if context else ''}{problem}", None
