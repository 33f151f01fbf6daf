"""A wire body in the making, which remembers where each of its values came from."""

from __future__ import annotations

from typing import Any

from bai.specs.document import Document
from bai.specs.findings import Path, Span


class Draft:
    """Collects a wire body and its spans."""

    def __init__(self, document: Document, source: Path) -> None:
        """Begin a body that comes from the mapping at `source`."""
        self._document = document
        self.wire: dict[str, Any] = {}
        self.spans: dict[Path, Span] = {(): document.key_span(source)}

    def put(self, target: Path, value: Any, source: Path) -> None:
        """Set the wire value at `target`, from the spec value at `source`; None sets nothing."""
        if value is None:
            return
        here: Any = self.wire
        for step in target[:-1]:
            here = here.setdefault(step, {})
        here[target[-1]] = value
        self.spans[target] = self._document.span(source)

    def append(self, target: Path, value: Any, source: Path, **origins: Path) -> None:
        """Append to the wire list at `target`.

        `origins` names the sources of single keys of `value`, where they differ from `source`.
        """
        here: Any = self.wire
        for step in target[:-1]:
            here = here.setdefault(step, {})
        items = here.setdefault(target[-1], [])
        place = (*target, len(items))
        items.append(value)
        self.spans.setdefault(target, self._document.span(source[:-1]))
        self.spans[place] = self._document.span(source)
        for key, origin in origins.items():
            self.spans[(*place, key)] = self._document.span(origin)
        for key, origin in origins.items():
            if origin == source and key in _KEYS:
                self.spans[(*place, key)] = self._document.key_span(origin)


_KEYS = frozenset({"name", "id", "relativeMountPath"})
"""Wire values that stand as mapping keys in a spec."""
