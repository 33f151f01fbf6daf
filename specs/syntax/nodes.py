"""Parsed values with their places, and the documents that are made of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from bai.specs.document import Document
from bai.specs.findings import Path, Span
from bai.specs.reference_groups import GROUPS, one_of

_REFERENCE: Final = re.compile(rf"{one_of(GROUPS)}\.\S+")


@dataclass(slots=True)
class Node:
    """A parsed value with its span; `data` of a container holds nodes until the end."""

    data: Any
    span: Span
    size: int = 1
    depth: int = 0
    keys: dict[str, Span] | None = None
    alias: Span | None = None


@dataclass(slots=True)
class OpenNode:
    """A mapping or sequence whose end has not come yet."""

    start: Any
    items: list[Node] = field(default_factory=list)
    end: tuple[int, int] | None = None
    """Line and column behind the last item, as it is written here."""


def braced_reference(items: list[Node]) -> str | None:
    """Return the name in `{{mounts.NAME}}`, which is a mapping in a mapping to YAML; else None."""
    if len(items) != 2 or items[1].data is not None or not isinstance(items[0].data, dict):
        return None
    names = list(items[0].data)
    is_one = len(names) == 1 and items[0].data[names[0]].data is None
    return names[0] if is_one and _REFERENCE.fullmatch(names[0]) else None


def document_of(root: Node, file: str, text: str) -> Document:
    """Return the document whose top value is a node."""
    values: dict[Path, Span] = {}
    keys: dict[Path, Span] = {}
    aliases: dict[Path, Span] = {}

    def plain(value: Node, path: Path) -> Any:
        values[path] = value.span
        if value.alias:
            aliases[path] = value.alias
        if value.keys is not None:
            keys.update({(*path, name): span for name, span in value.keys.items()})
            return {name: plain(part, (*path, name)) for name, part in value.data.items()}
        if isinstance(value.data, list):
            return [plain(part, (*path, index)) for index, part in enumerate(value.data)]
        return value.data

    return Document(file, text, plain(root, ()), values, keys, aliases)
