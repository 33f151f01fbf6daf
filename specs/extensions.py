"""Keys of a spec that are its author's own: those that begin with `x-`.

They stand at the top or under `spec`, hold anchors for instance, and mean nothing to bai.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from bai.specs.document import Document

PREFIX: Final = "x-"


def without_extensions(document: Document) -> Document:
    """Return a spec without its author's own keys."""
    data = _without(document.data)
    if isinstance(spec := data.get("spec"), dict) and (rest := _without(spec)) is not spec:
        data = {**data, "spec": rest}
    return document if data is document.data else replace(document, data=data)


def _without(data: dict[str, Any]) -> dict[str, Any]:
    """Return a mapping without these keys: itself, if it has none."""
    if not any(key.startswith(PREFIX) for key in data):
        return data
    return {key: value for key, value in data.items() if not key.startswith(PREFIX)}
