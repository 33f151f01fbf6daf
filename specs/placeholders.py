"""Placeholders in texts: those of the old command line, and those that a person is to fill in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

STORAGE_KEY_PLACEHOLDER: Final = "<AZURE_BATCHAI_STORAGE_KEY>"
"""In place of the storage key."""
GAP: Final = "?"
"""In an imported spec, what stands where only a person knows the name."""

# Bounded, so that it stays linear.
_BRACKETED: Final = r"<[^<>]{1,200}>|\[[^\[\]]{1,200}\]|\{[^{}]{1,200}\}"


def placeholders(text: str) -> Iterator[str]:
    """Iterate over what stands in brackets in a text, as in templates: `<account>`, `[your key]`.

    `[parameters('key')]` is an expression, and `${name}` a variable: they are none.
    """
    for match in re.finditer(_BRACKETED, text):
        part = match[0]
        if not (part[0] == "[" and "(" in part) and text[: match.start()][-1:] != "$":
            yield part
