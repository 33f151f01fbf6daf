"""ARM template expressions, `[parameters('nodes')]` for example."""

from __future__ import annotations


def is_expression(text: str) -> bool:
    """Return whether an ARM template would compute a text instead of taking it as it is."""
    return text.startswith("[") and text.endswith("]") and not text.startswith("[[")
