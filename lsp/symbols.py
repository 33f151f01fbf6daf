"""The outline that editors show: experiments with their jobs, clusters and file servers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bai.lsp.outline import Outline
from bai.lsp.text import Range

_GROUPS: Final = {"jobs": "job", "clusters": "cluster", "fileServers": "file server"}


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something with a name."""

    name: str
    kind: str
    range: Range


def symbols(outline: Outline) -> Iterator[Symbol]:
    """Iterate over what a spec declares."""
    for key in outline.keys:
        match key.path:
            case ("spec", str(group), str(name)) if group in _GROUPS:
                yield Symbol(name, _GROUPS[group], key.range)
