"""Values of specs and of wire forms in a line of text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def value_text(value: Any) -> str:
    """Return a value as it stands in a line: text without control characters, or JSON."""
    if isinstance(value, str) and value.isprintable():
        return value
    return json.dumps(value, ensure_ascii=False)


def point_text(point: Mapping[str, Any]) -> str:
    """Return what tells a member of a sweep from the others: `environment.SEED=1, lr=0.1`."""
    return ", ".join(f"{key}={value_text(value)}" for key, value in point.items())
