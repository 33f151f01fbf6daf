"""Values of specs and of wire forms in a line of text."""

from __future__ import annotations

import json
from typing import Any


def value_text(value: Any) -> str:
    """Return a value as it stands in a line: text without control characters, or JSON."""
    if isinstance(value, str) and value.isprintable():
        return value
    return json.dumps(value, ensure_ascii=False)
